import { Failure } from '../../packages/dashboard/src/api/failure.js';
import {
  detailsOf,
  EditedDetails,
  rebaseDetails,
  type Described,
} from '../../packages/dashboard/src/pages/documents/editor/details.js';

const document = (metadata: object = {}, aiSettings: object = {}): Described =>
  ({ type: 'document', metadata, aiSettings }) as Described;

describe('details that are being edited', () => {
  it('details that are being edited become a merge patch, with a half-typed tag', () => {
    const details = new EditedDetails(document({ tags: ['a'] }));
    expect([details.isUnsaved, details.patch]).toEqual([false, undefined]);
    details.edit({ typedTags: 'fin', type: 'report', language: 'German' });
    expect(details.patch).toEqual({
      type: 'report',
      metadata: { tags: ['a', 'fin'] },
      aiSettings: { language: 'German' },
    });
  });

  it('details that are being edited are saved once the service has them, without interrupting a tag that is being typed', async () => {
    const details = new EditedDetails(document());
    details.edit({ typedTags: 'fin' });
    await details.send(() => {
      details.edit({ typedTags: 'finan' });
      return Promise.resolve(document({ tags: ['fin'] }));
    });
    expect(details.yours).toMatchObject({ tags: [], typedTags: 'finan' });
    expect(details.patch).toEqual({ metadata: { tags: ['finan'] } });
    await details.send(() => Promise.resolve(document({ tags: ['finan'] })));
    expect(details.isUnsaved).toBe(false);
  });

  it('details that are being edited keep a key that is edited while it is being saved', async () => {
    const details = new EditedDetails(document({ old: '1' }));
    details.edit({ rows: [...details.yours.rows, { key: 'dep', value: '' }] });
    await details.send(() => {
      details.edit({
        rows: [
          { key: 'old', value: '1' },
          { key: 'department', value: '' },
        ],
      });
      return Promise.resolve(document({ old: '1', dep: '' }));
    });
    expect(details.patch).toEqual({ metadata: { dep: null, department: '' } });
  });

  it('details that are being edited are not sent again when the service stores something equivalent', async () => {
    const details = new EditedDetails(document());
    details.edit({ tags: ['Finance'] });
    await details.send(() => Promise.resolve(document({ tags: ['finance'] })));
    expect(details.canSend).toBe(false);
    details.edit({ tags: ['Finance', 'b'] });
    expect(details.canSend).toBe(true);
  });

  it('details that are being edited are not sent again after a refusal until they change', async () => {
    const details = new EditedDetails(document());
    details.edit({ language: 'Klingon' });
    const refusal = new Failure('There is no such language.', 400);
    await expect(details.send(() => Promise.reject(refusal))).rejects.toBe(refusal);
    expect([details.canSend, details.isUnsaved, details.failure]).toEqual([false, true, refusal]);
    details.edit({ language: 'de' });
    expect([details.canSend, details.failure]).toEqual([true, undefined]);
  });

  it('details that are being edited keep a value that is not valid JSON while the rest is saved', async () => {
    const details = new EditedDetails(document({ sizes: [1, 2] }));
    details.edit({ rows: [{ key: 'sizes', value: '[1, 2', isJson: true }], tags: ['x'] });
    expect(details.failure?.message).toContain('“sizes” is not valid JSON');
    await details.send((patch) => {
      expect(patch).toEqual({ metadata: { tags: ['x'] } });
      return Promise.resolve(document({ sizes: [1, 2], tags: ['x'] }));
    });
    expect(details.yours.rows).toEqual([{ key: 'sizes', value: '[1, 2', isJson: true }]);
    expect([details.canSend, details.isUnsaved]).toEqual([false, true]);
  });

  it('details that are being edited keep changes of both sides in different places', () => {
    const base = detailsOf(document({ tags: ['a', 'b'], x: '1', y: '1', z: '1' }));
    const yours = {
      ...base,
      tags: ['a', 'mine'],
      rows: [
        { key: 'x', value: 'mine' },
        { key: 'y', value: '1' },
        { key: '', value: '' },
      ],
    };
    const theirs = detailsOf(document({ tags: ['b', 'theirs'], x: '1', y: '2', z: '1', w: '1' }));
    expect(rebaseDetails(base, yours, { ...theirs, type: 'report' })).toMatchObject({
      type: 'report',
      tags: ['mine', 'theirs'],
      rows: [
        { key: 'x', value: 'mine' },
        { key: 'y', value: '2' },
        { key: '', value: '' },
        { key: 'w', value: '1' },
      ],
    });
  });
});
