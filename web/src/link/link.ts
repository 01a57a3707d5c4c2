// The websocket to the server: texts out, answers in, and a new connection whenever the old one breaks.
import type { Answer, Request } from "../protocol";

export interface LinkEvents {
  opened: () => void;
  lost: () => void;
  answer: (answer: Answer) => void;
}

/** What of a `WebSocket` is used, so that tests can bring their own. */
export interface Socket {
  send: (text: string) => void;
  close: () => void;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
}

type Waiting = { resolve: (answer: Answer) => void; reject: (reason: Error) => void };

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8000;

export class Link {
  private socket: Socket | null = null;
  private open = false;
  private pause = FIRST_PAUSE;
  private lastId = 0;
  private readonly waiting = new Map<number, Waiting>();

  constructor(
    private readonly connect: () => Socket,
    private readonly events: LinkEvents,
    private readonly later: (call: () => void, milliseconds: number) => void = (call, pause) =>
      void setTimeout(call, pause),
  ) {}

  start(): void {
    const socket = this.connect();
    this.socket = socket;
    socket.onopen = () => {
      this.open = true;
      this.pause = FIRST_PAUSE;
      this.events.opened();
    };
    socket.onmessage = (message) => this.receive(String(message.data));
    socket.onclose = () => this.closed();
  }

  /** Send a request; false where there is no connection now. */
  send(request: Request): boolean {
    if (!this.open || this.socket === null) return false;
    this.socket.send(JSON.stringify(request));
    return true;
  }

  /** Send a request and wait for its direct answer; an `error` rejects with its sentence. */
  ask(request: Request): Promise<Answer> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      if (!this.send({ ...request, id })) this.settle(id, new Error("no connection"));
    });
  }

  private receive(text: string): void {
    const answer = JSON.parse(text) as Answer;
    const id = "id" in answer ? answer.id : undefined;
    if (id !== undefined && this.waiting.has(id)) {
      this.settle(id, answer.type === "error" ? new Error(answer.text) : answer);
      if (answer.type === "error") return;
    }
    this.events.answer(answer);
  }

  private settle(id: number, outcome: Answer | Error): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (outcome instanceof Error) waiting?.reject(outcome);
    else waiting?.resolve(outcome);
  }

  /** Whoever waits is told; then the next try, each time after a longer pause. */
  private closed(): void {
    this.open = false;
    for (const id of [...this.waiting.keys()]) this.settle(id, new Error("no connection"));
    this.events.lost();
    this.later(() => this.start(), this.pause);
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
  }
}

/** The address of the server's websocket beside the page. */
export function socketAddress(page: string): string {
  const address = new URL("ws", page);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  address.search = "";
  return address.href;
}
