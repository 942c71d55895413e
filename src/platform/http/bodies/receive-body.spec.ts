import fc from 'fast-check';
import { BufferBuilder } from './receive-body.js';

describe('a growing buffer', () => {
  it('contains all appended bytes, whatever length was expected', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), fc.nat(500), (pieces, expected) => {
        const buffer = new BufferBuilder(expected);
        for (const piece of pieces) buffer.append(Buffer.from(piece));
        const all = Buffer.concat(pieces);
        expect(buffer.size).toBe(all.length);
        expect(buffer.bytes().equals(all)).toBe(true);
      }),
    );
  });

  it('takes about as much memory as its content, even for tiny pieces', () => {
    const buffer = new BufferBuilder(0);
    for (let n = 0; n < 1_000_000; n += 1) buffer.append(Buffer.from('x'));
    expect(buffer.bytes().buffer.byteLength).toBeLessThan(3_000_000);
  });
});
