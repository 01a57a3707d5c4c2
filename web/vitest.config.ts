// Unit tests: reducers and other plain functions in Node, what needs a document in happy-dom.
import { defineConfig } from "vitest/config";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: { environment: "happy-dom", include: ["tests/**/*.test.{ts,tsx}"] },
});
