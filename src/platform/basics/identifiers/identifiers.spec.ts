import fc from 'fast-check';
import { TypeID } from 'typeid-js';
import { decodeId, encodeId } from './identifiers.js';

describe('A public id', () => {
  it('is the TypeID of its UUID for all bits', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const id = encodeId('document', uuid);
        expect(id).toBe(TypeID.fromUUID('doc', uuid).toString());
        expect(decodeId('document', id)).toBe(uuid);
      }),
    );
    for (const digit of ['0', 'f'])
      expect(
        encodeId('user', digit.repeat(32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')),
      ).toBe(`user_${digit === '0' ? '0'.repeat(26) : `7${'z'.repeat(25)}`}`);
  });
});
