// How the page is built: into the Python package, with relative addresses, so that it runs below any path.
import { defineConfig } from "vite";

const SERVER = process.env.MOVE37_SERVER ?? "http://127.0.0.1:3737";

export default defineConfig({
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../src/move37/web/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
  },
  server: { proxy: { "/ws": { target: SERVER, ws: true, changeOrigin: true, headers: { origin: SERVER } } } },
});
