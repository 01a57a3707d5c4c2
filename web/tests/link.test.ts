// The connection: answers find who asked, and what breaks is mended.
import { describe, expect, it } from "vitest";
import { Link, type Socket, socketAddress } from "../src/link/link";
import type { Answer, Request } from "../src/protocol";

/** A link on sockets that a test plays the server of; pauses are kept, and end when the test says so. */
function started() {
  const sockets: (Socket & { sent: string[] })[] = [];
  const heard: (Answer | "opened" | "lost")[] = [];
  const pauses: { call: () => void; milliseconds: number }[] = [];
  const connect = () => {
    const sent: string[] = [];
    const socket = {
      sent,
      send: (text: string) => sent.push(text),
      close: () => {},
      onopen: null,
      onclose: null,
      onmessage: null,
    };
    sockets.push(socket);
    return socket;
  };
  const link = new Link(
    connect,
    { opened: () => heard.push("opened"), lost: () => heard.push("lost"), answer: (answer) => heard.push(answer) },
    (call, milliseconds) => pauses.push({ call, milliseconds }),
  );
  link.start();
  const last = () => sockets[sockets.length - 1] as Socket & { sent: string[] };
  const receive = (answer: Answer) => last().onmessage?.({ data: JSON.stringify(answer) });
  return { link, heard, pauses, last, receive };
}

const ASKED: Request = { type: "sgf", board: "play-1" };

describe("the link", () => {
  it("sends once it is open", () => {
    const { link, last } = started();
    expect(link.send(ASKED)).toBe(false);
    last().onopen?.();
    expect(link.send(ASKED)).toBe(true);
    expect(last().sent).toEqual([JSON.stringify(ASKED)]);
  });

  it("gives an answer to who asked, and tells it", async () => {
    const { link, last, receive, heard } = started();
    last().onopen?.();
    const asked = link.ask(ASKED);
    const { id } = JSON.parse(last().sent[0] ?? "") as { id: number };
    const answer: Answer = { type: "sgf", board: "play-1", id, name: "game.sgf", text: "(;)" };
    receive(answer);
    expect(await asked).toEqual(answer);
    expect(heard).toContainEqual(answer);
  });

  it("gives an error to who asked, and to nobody else", async () => {
    const { link, last, receive, heard } = started();
    last().onopen?.();
    const asked = link.ask(ASKED);
    receive({ type: "error", board: "play-1", id: 1, text: "there is no such board" });
    await expect(asked).rejects.toThrow("there is no such board");
    expect(heard).toEqual(["opened"]);
  });

  it("tries again after ever longer pauses, and soon again once it was open", async () => {
    const { link, last, pauses, heard } = started();
    last().onopen?.();
    const asked = link.ask(ASKED);
    for (let i = 0; i < 8; i++) {
      last().onclose?.();
      pauses[i]?.call();
    }
    await expect(asked).rejects.toThrow("no connection");
    expect(pauses.map((pause) => pause.milliseconds)).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    last().onopen?.();
    last().onclose?.();
    expect(pauses.at(-1)?.milliseconds).toBe(250);
    expect(heard.at(-1)).toBe("lost");
  });
});

it("lies beside the page", () => {
  expect(socketAddress("http://127.0.0.1:3737/#see")).toBe("ws://127.0.0.1:3737/ws");
  expect(socketAddress("https://go.example/move37/?token=a")).toBe("wss://go.example/move37/ws");
});
