/** Bytes that arrive in pieces, kept as one Buffer: a body in pieces of one byte would take hundreds of times its size. */
export class BufferBuilder {
  private buffer: Buffer = Buffer.alloc(0);
  private length = 0;

  /** `expected` bytes in all, as far as is known. */
  constructor(private readonly expected: number) {}

  get size(): number {
    return this.length;
  }

  append(piece: Buffer): void {
    const length = this.length + piece.length;
    if (this.length === 0 && length >= this.expected) {
      this.buffer = piece;
    } else {
      if (length > this.buffer.length) this.grow(Math.max(2 * length, this.expected));
      piece.copy(this.buffer, this.length);
    }
    this.length = length;
  }

  /** Everything so far. */
  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private grow(size: number): void {
    // The memory is taken page by page, as bytes arrive.
    const larger = Buffer.allocUnsafeSlow(size);
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}
