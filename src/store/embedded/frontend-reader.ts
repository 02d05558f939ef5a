/** Bytes of a client that can be run together: a startup packet, or the messages of a batch. */
export interface Unit {
  readonly bytes: Buffer;
  /** The type (tag) of the last message. It is 0 for a startup packet, which has no tag. */
  readonly last: number;
}

/** Splits the bytes of a client into units. `reply` sends the answer to an encryption request before the startup. */
export function frontendReader(reply: (bytes: string) => void): (data: Buffer) => Unit[] {
  let chunks: Buffer[] = [];
  let size = 0;
  /** The chunks of a large message are joined once when it is complete, instead of at every chunk. */
  let needed = lengthBytes;
  let started = false;
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

export const tags = {
  flush: byte("H"),
  functionCall: byte("F"),
  query: byte("Q"),
  sync: byte("S"),
  terminate: byte("X"),
};

export function protocolMessage(tag: number, body: string | Buffer = ""): Buffer {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const message = Buffer.alloc(headerBytes + bytes.length);
  message[0] = tag;
  message.writeUInt32BE(lengthBytes + bytes.length, 1);
  bytes.copy(message, headerBytes);
  return message;
}

const lengthBytes = 4;
export const headerBytes = 1 + lengthBytes;
const batchEnds = new Set(Object.values(tags));
// Codes of the startup packets SSLRequest and GSSENCRequest.
const encryptionRequests = new Set([80_877_103, 80_877_104]);
// The only supported protocol version. Cancel requests are rejected too, because they always arrive too late.
const protocolMajor = 3;

/** Returns the length of the next message, or of its header if that is incomplete. A startup packet has no tag. */
function messageBytes(bytes: Buffer, tagBytes: 0 | 1): number {
  const min = tagBytes === 0 ? lengthBytes + 4 : tagBytes + lengthBytes;
  return bytes.length < min ? min : Math.max(min, tagBytes + bytes.readUInt32BE(tagBytes));
}

export function byte(tag: string): number {
  return tag.charCodeAt(0);
}
