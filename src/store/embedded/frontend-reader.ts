/** Bytes a client sent that can be run in one go: a start-up packet, or messages up to one that ends a batch. */
export interface Unit {
  readonly bytes: Buffer;
  /** Tag of the last message; 0 is a start-up packet. */
  readonly last: number;
}

/** Cuts what a client of the Postgres protocol sends into units; `reply` takes what must be answered before a start-up packet. */
export function frontendReader(reply: (bytes: string) => void): (data: Buffer) => Unit[] {
  let chunks: Buffer[] = [];
  let size = 0;
  /** Size at which the next message is whole, as far as known: a large one is put together once, not at every chunk. */
  let needed = lengthBytes;
  let started = false;
  /** Whole messages of a batch whose end has not come yet. */
  let batch: Buffer[] = [];

  return (data) => {
    chunks.push(data);
    size += data.length;
    if (size < needed) return [];
    const units: Unit[] = [];
    let rest = Buffer.concat(chunks);
    for (;;) {
      needed = messageBytes(rest, started ? 1 : 0);
      if (rest.length < needed) break;
      const message = rest.subarray(0, needed);
      rest = rest.subarray(needed);
      if (started) addToBatch(message, units);
      else start(message, units);
    }
    chunks = [rest];
    size = rest.length;
    return units;
  };

  function addToBatch(message: Buffer, units: Unit[]): void {
    batch.push(message);
    const [last = 0] = message;
    if (!batchEnds.has(last)) return;
    units.push({ bytes: Buffer.concat(batch), last });
    batch = [];
  }

  function start(message: Buffer, units: Unit[]): void {
    const code = message.readUInt32BE(lengthBytes);
    if (encryptionRequests.has(code)) {
      reply("N");
      return;
    }
    started = code >>> 16 === protocolMajor;
    units.push({ bytes: message, last: started ? 0 : tags.terminate });
  }
}

/** Tags of messages, as in the protocol's documentation. */
export const tags = {
  flush: byte("H"),
  functionCall: byte("F"),
  query: byte("Q"),
  sync: byte("S"),
  terminate: byte("X"),
};

/** One message of the protocol. */
export function protocolMessage(tag: number, body: string | Buffer = ""): Buffer {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const message = Buffer.alloc(headerBytes + bytes.length);
  message[0] = tag;
  message.writeUInt32BE(lengthBytes + bytes.length, 1);
  bytes.copy(message, headerBytes);
  return message;
}

const lengthBytes = 4;
/** What stands before the body of a message: its tag and its length. */
export const headerBytes = 1 + lengthBytes;
const batchEnds = new Set(Object.values(tags));
// SSLRequest and GSSENCRequest.
const encryptionRequests = new Set([80_877_103, 80_877_104]);
// Anything else is no client to serve; a request to cancel neither, for by the time it is read there is nothing to cancel.
const protocolMajor = 3;

/** Size of the message at the start of the bytes, or what is needed to know it. Only start-up packets have no tag; they have a code. */
function messageBytes(bytes: Buffer, tagBytes: 0 | 1): number {
  const min = tagBytes === 0 ? lengthBytes + 4 : tagBytes + lengthBytes;
  return bytes.length < min ? min : Math.max(min, tagBytes + bytes.readUInt32BE(tagBytes));
}

/** The tag of a message as it is sent. */
export function byte(tag: string): number {
  return tag.charCodeAt(0);
}
