import { Failure } from '../../packages/dashboard/src/api/failure.js';
import {
  Autosave,
  NOTHING,
  type AutosavePorts,
  type AutosaveState,
  type ChangeOfOthers,
  type DetailsPort,
  type Draft,
} from '../../packages/dashboard/src/pages/documents/editor/autosave.js';
import type { Snapshot, Texts } from '../../packages/dashboard/src/pages/documents/editor/texts.js';

const NO_DETAILS: DetailsPort<Snapshot> = {
  isUnsaved: () => false,
  canSend: () => false,
  needDocument: () => false,
  failure: () => undefined,
  send: () => Promise.reject(new Error('There is nothing to send.')),
};

/** A service with one document and a browser with one draft. */
function fixture(content = 'one\n\ntwo\n\nthree') {
  const at = {
    server: { title: 'Plan', content, version: 1 },
    saves: 0,
    isSuggestion: false,
    offline: false,
    /** The next change is made, but its response is lost. */
    loseResponse: false,
    /** Thrown instead of making the next changes. */
    refusals: [] as Failure[],
    missing: 0,
    draft: undefined as Draft | undefined,
    told: [] as ChangeOfOthers[],
    by: 'Ada',
    shown: [] as Texts[],
    states: [] as AutosaveState['status'][],
  };
  const write = (changes: Partial<Texts>): Snapshot => {
    at.server = { ...at.server, ...changes, version: at.server.version + 1 };
    return at.server;
  };
  const response = <Value>(value: () => Value): Promise<Value> =>
    at.offline ? Promise.reject(new Failure('Offline.', 0)) : Promise.resolve().then(value);
  const ports: AutosavePorts<Snapshot> = {
    save: (changes, version) =>
      response(() => {
        at.saves += 1;
        const refusal = at.refusals.shift();
        if (refusal) throw refusal;
        if (version !== at.server.version) throw new Failure('Changed.', 412);
        const saved = write(changes);
        if (at.loseResponse) {
          at.loseResponse = false;
          throw new Failure('No response.', 0);
        }
        return saved;
      }),
    create: (texts) =>
      response(() => {
        at.saves += 1;
        at.server = { ...texts, version: 1 };
        return { document: at.server, sent: texts };
      }),
    load: () => response(() => at.server),
    details: NO_DETAILS,
    isPaused: () => at.isSuggestion,
    isSuggestion: () => at.isSuggestion,
    keepDraft: (draft) => {
      at.draft = draft;
    },
    authorOf: () => at.by,
    onDocument: () => undefined,
    onTexts: (texts, by) => {
      at.shown.push(texts);
      if (by) at.told.push(by);
    },
    onMissing: () => {
      at.missing += 1;
    },
    onState: ({ status }) => at.states.push(status),
  };
  return { at, autosave: new Autosave(at.server, ports), ports, write };
}

describe('saving a document that is being written', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('saving a document that is being written stores a draft immediately, and creates one version after a pause of five seconds', async () => {
    const { at, autosave } = fixture();
    autosave.edit({ content: 'a' });
    expect(at.draft).toMatchObject({ base: { version: 1 }, yours: { content: 'a' } });
    await jest.advanceTimersByTimeAsync(4_000);
    autosave.edit({ content: 'ab' });
    await jest.advanceTimersByTimeAsync(4_900);
    expect(at.saves).toBe(0);
    await jest.advanceTimersByTimeAsync(200);
    expect(at.server).toEqual({ title: 'Plan', content: 'ab', version: 2 });
    expect(at.draft).toBeUndefined();
    expect(at.states.at(-1)).toBe('Saved');
  });

  it('saving a document that is being written never sends a suggestion, which follows the document and ends as the document', async () => {
    const { at, autosave, write } = fixture();
    at.isSuggestion = true;
    write({ content: 'one\n\ntwo' });
    await autosave.hear(at.server);
    autosave.edit({ title: 'Mine', content: 'one\n\ntwo, suggested' });
    await jest.advanceTimersByTimeAsync(120_000);
    await autosave.save();
    write({ content: 'ONE\n\ntwo' });
    await autosave.hear(at.server);
    expect(autosave.yours).toEqual({ title: 'Mine', content: 'ONE\n\ntwo, suggested' });
    expect(at.draft).toMatchObject({ yours: { title: 'Mine' } });
    expect(at.saves).toBe(0);
    autosave.discard();
    expect(autosave.yours).toEqual({ title: 'Plan', content: 'ONE\n\ntwo' });
    expect(at.shown.at(-1)).toEqual(autosave.yours);
    expect(at.draft).toBeUndefined();
    expect(autosave.isUnsaved).toBe(false);
  });

  it('saving a document that is being written creates a version at least once a minute while someone keeps typing', async () => {
    const { at, autosave } = fixture();
    for (let second = 0; second < 61; second += 1) {
      autosave.edit({ content: `text ${String(second)}` });
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(at.saves).toBe(1);
  });

  it("saving a document that is being written merges someone else's change in a different place, and says what changed", async () => {
    const { at, autosave, write } = fixture();
    write({ content: 'one\n\ntwo\n\nTHREE', title: 'Plan B' });
    autosave.edit({ content: 'ONE\n\ntwo\n\nthree' });
    await autosave.save();
    expect(at.server).toEqual({ title: 'Plan B', content: 'ONE\n\ntwo\n\nTHREE', version: 3 });
    expect(at.told).toEqual([{ name: 'Ada', passages: 2 }]);
    expect(at.shown).toEqual([{ title: 'Plan B', content: 'ONE\n\ntwo\n\nTHREE' }]);
  });

  it('saving a document that is being written keeps your words in a conflict and saves theirs, with everything else that you wrote', async () => {
    const { at, autosave, write } = fixture();
    write({ content: 'theirs\n\ntwo\n\nthree' });
    autosave.edit({ content: 'mine\n\ntwo\n\nthree and more' });
    await autosave.save();
    expect(at.server.content).toBe('theirs\n\ntwo\n\nthree and more');
    expect(autosave.yours.content).toBe('mine\n\ntwo\n\nthree and more');
    expect(autosave.state).toMatchObject({
      status: 'Saved',
      conflicts: [{ from: 0, to: 4, yours: 'mine', theirs: 'theirs', by: 'Ada' }],
    });
    expect(at.draft).toMatchObject({ yours: { content: autosave.yours.content } });
  });

  it('saving a document that is being written saves your words once the conflict is ended', async () => {
    const { at, autosave, write } = fixture();
    write({ content: 'theirs\n\ntwo\n\nthree' });
    autosave.edit({ content: 'mine\n\ntwo\n\nthree' });
    await autosave.save();
    expect(at.saves).toBe(1);
    autosave.endConflicts(autosave.state.conflicts.map(({ id }) => id));
    await jest.advanceTimersByTimeAsync(5_100);
    expect(at.server).toMatchObject({ content: 'mine\n\ntwo\n\nthree', version: 3 });
    expect(autosave.state).toEqual({ status: 'Saved', conflicts: [] });
    expect(at.draft).toBeUndefined();
  });

  it('saving a document that is being written takes what is typed in a conflict for yours, and ends it when both sides agree', async () => {
    const { at, autosave, write } = fixture();
    write({ content: 'theirs\n\ntwo\n\nthree' });
    autosave.edit({ content: 'mine\n\ntwo\n\nthree' });
    await autosave.save();
    autosave.edit({ content: 'mine too\n\ntwo\n\nthree and four' });
    await autosave.save();
    expect(at.server.content).toBe('theirs\n\ntwo\n\nthree and four');
    expect(autosave.state.conflicts).toMatchObject([{ yours: 'mine too', theirs: 'theirs' }]);
    autosave.edit({ content: 'theirs\n\ntwo\n\nthree and four' });
    expect(autosave.state).toMatchObject({ status: 'Saved', conflicts: [] });
  });

  it('saving a document that is being written shows their newest words in a conflict', async () => {
    const { at, autosave, write } = fixture();
    write({ content: 'theirs\n\ntwo\n\nthree' });
    autosave.edit({ content: 'mine\n\ntwo\n\nthree' });
    await autosave.save();
    at.by = 'Bob';
    await autosave.hear(write({ content: 'theirs again\n\ntwo\n\nTHREE' }));
    expect(autosave.yours.content).toBe('mine\n\ntwo\n\nTHREE');
    expect(autosave.state.conflicts).toMatchObject([
      { yours: 'mine', theirs: 'theirs again', by: 'Bob' },
    ]);
  });

  it('saving a document that is being written keeps both titles until one is chosen', async () => {
    const { at, autosave, write } = fixture();
    write({ title: 'Their plan' });
    autosave.edit({ title: 'My plan', content: 'one\n\n2\n\nthree' });
    await autosave.save();
    expect(at.server).toMatchObject({ title: 'Their plan', content: 'one\n\n2\n\nthree' });
    expect(autosave.state.titleConflict).toEqual({ theirs: 'Their plan', by: 'Ada' });
    autosave.endTitleConflict();
    await jest.advanceTimersByTimeAsync(5_100);
    expect(at.server.title).toBe('My plan');
  });

  it('saving a document that is being written ends a conflict of titles when the stored title becomes yours', async () => {
    const { at, autosave, write } = fixture();
    write({ title: 'Their plan' });
    autosave.edit({ title: 'My plan' });
    await autosave.save();
    await autosave.hear(write({ title: 'My plan' }));
    expect(autosave.state).toEqual({ status: 'Saved', conflicts: [] });
    expect(at.server.title).toBe('My plan');
  });

  it('saving a document that is being written brings conflicts back with the draft', async () => {
    const { at, autosave, ports, write } = fixture();
    write({ content: 'theirs\n\ntwo\n\nthree' });
    autosave.edit({ content: 'mine\n\ntwo\n\nthree' });
    await autosave.save();
    const later = new Autosave(at.server, ports);
    if (!at.draft) throw new Error('There is no draft.');
    later.restore(at.draft, at.server);
    expect(later.yours.content).toBe('mine\n\ntwo\n\nthree');
    expect(later.state).toMatchObject({ status: 'Saved', conflicts: [{ theirs: 'theirs' }] });
  });

  it('saving a document that is being written treats a version whose response was lost as saved, even if something was typed since', async () => {
    const { at, autosave } = fixture('one');
    at.loseResponse = true;
    autosave.edit({ content: 'on' });
    await autosave.save();
    expect(at.states.at(-1)).toBe('Not saved');
    autosave.edit({ content: 'once' });
    await autosave.save();
    expect(autosave.state).toEqual({ status: 'Saved', conflicts: [] });
    expect(at.server).toMatchObject({ content: 'once', version: 3 });
  });

  it('saving a document that is being written keeps the draft while the service is unavailable, and saves automatically when it is back', async () => {
    const { at, autosave } = fixture();
    at.offline = true;
    autosave.edit({ content: 'written on a train' });
    await jest.advanceTimersByTimeAsync(40_000);
    expect(at.states.at(-1)).toBe('Not saved');
    expect(at.draft).toMatchObject({ yours: { content: 'written on a train' } });
    at.offline = false;
    await jest.advanceTimersByTimeAsync(31_000);
    expect(at.server).toMatchObject({ content: 'written on a train', version: 2 });
    expect(at.states.at(-1)).toBe('Saved');
  });

  it('saving a document that is being written does not resend what the service refuses until something changes', async () => {
    const { at, ports } = fixture();
    let refused = 0;
    const refusing = new Autosave<Snapshot>(at.server, {
      ...ports,
      save: () => {
        refused += 1;
        return Promise.reject(new Failure('The title is too long.', 400));
      },
    });
    refusing.edit({ title: 'x'.repeat(501) });
    await jest.advanceTimersByTimeAsync(300_000);
    expect(refused).toBe(1);
    expect(refusing.state).toMatchObject({ status: 'Not saved', failure: { status: 400 } });
  });

  it('saving a document that is being written continues with a draft of an earlier visit, merged with changes since then', async () => {
    const { at, autosave, write } = fixture();
    const draft: Draft = {
      base: { title: 'Plan', content: 'one\n\ntwo\n\nthree', version: 1 },
      yours: { title: 'Plan', content: 'ONE\n\ntwo\n\nthree' },
      sent: [],
    };
    autosave.restore(draft, write({ content: 'one\n\ntwo\n\nTHREE' }));
    expect(autosave.yours.content).toBe('ONE\n\ntwo\n\nTHREE');
    await jest.advanceTimersByTimeAsync(5_100);
    expect(at.server).toMatchObject({ content: 'ONE\n\ntwo\n\nTHREE', version: 3 });
  });

  it('saving a document that is being written drops a draft that the service already has', () => {
    const { at, autosave, write } = fixture('one');
    const draft: Draft = {
      base: { title: 'Plan', content: 'one', version: 1 },
      yours: { title: 'Plan', content: 'mine' },
      sent: [{ title: 'Plan', content: 'mine' }],
    };
    autosave.restore(draft, write({ content: 'mine' }));
    expect(autosave.state).toEqual({ status: 'Saved', conflicts: [] });
    expect(at.draft).toBeUndefined();
  });

  it('saving a document that is being written saves the text before another change, and keeps what is typed during it', async () => {
    const { at, autosave, write } = fixture('teh end\n\nmore');
    autosave.edit({ content: 'teh end\n\nmore text' });
    await autosave.change((version) => {
      expect(version).toBe(2);
      autosave.edit({ content: 'teh end\n\nmore text!' });
      return Promise.resolve(write({ content: 'the end\n\nmore text' }));
    });
    expect(autosave.yours.content).toBe('the end\n\nmore text!');
    await jest.advanceTimersByTimeAsync(5_100);
    expect(at.server.content).toBe('the end\n\nmore text!');
  });

  it("saving a document that is being written shows someone else's changes at once, and an overlap as a conflict", async () => {
    const { autosave, write } = fixture();
    await autosave.hear(write({ content: 'theirs' }));
    expect(autosave.yours.content).toBe('theirs');
    autosave.edit({ content: 'mine' });
    await autosave.hear(write({ content: 'theirs too' }));
    expect(autosave.yours.content).toBe('mine');
    expect(autosave.state.conflicts).toMatchObject([{ yours: 'mine', theirs: 'theirs too' }]);
  });

  it('saving a document that is being written makes another change of the document even if someone types while the text is saved', async () => {
    const { at, autosave, ports, write } = fixture('teh end');
    let typed = (): void => undefined;
    const save = ports.save;
    ports.save = (changes, version) => {
      typed();
      return save(changes, version);
    };
    autosave.edit({ content: 'teh end of' });
    typed = () => {
      typed = () => undefined;
      autosave.edit({ content: 'teh end of it' });
    };
    await autosave.change((version) => {
      expect([version, at.server.content]).toEqual([2, 'teh end of']);
      return Promise.resolve(write({ content: 'the end of' }));
    });
    expect(autosave.yours.content).toBe('the end of it');
    await jest.advanceTimersByTimeAsync(5_100);
    expect(at.server.content).toBe('the end of it');
    expect(autosave.state).toEqual({ status: 'Saved', conflicts: [] });
  });

  it('saving a document that is being written says why another change of the document cannot be made when the text cannot be saved', async () => {
    const { at, autosave } = fixture();
    at.offline = true;
    autosave.edit({ content: 'mine' });
    await expect(autosave.change(() => Promise.reject(new Error('never')))).rejects.toThrow(
      'Offline.',
    );
    expect(autosave.state).toMatchObject({ status: 'Not saved', failure: { status: 0 } });
  });

  it('saving a document that is being written waits as long as the service requests after too many changes, whatever is typed in the meantime', async () => {
    const { at, autosave } = fixture();
    at.refusals = [new Failure('Too many.', 429, { retryAfter: 12 })];
    autosave.edit({ content: 'a' });
    await jest.advanceTimersByTimeAsync(5_100);
    expect(autosave.state).toMatchObject({ status: 'Not saved', failure: { status: 429 } });
    expect(autosave.state.retryAt).toBeGreaterThan(Date.now() + 11_000);
    for (let second = 0; second < 10; second += 1) {
      autosave.edit({ content: `text ${String(second)}` });
      await jest.advanceTimersByTimeAsync(1_000);
    }
    autosave.flush();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(at.saves).toBe(1);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(at.server.content).toBe('text 9');
    expect(autosave.state).toEqual({ status: 'Saved', conflicts: [] });
  });

  it('saving a document that is being written stores a blank title as "Untitled document", and shows that as a blank title', async () => {
    const { at, autosave } = fixture();
    autosave.edit({ title: ' ' });
    await autosave.save();
    expect(at.server.title).toBe('Untitled document');
    expect(autosave.state).toEqual({ status: 'Saved', conflicts: [] });
    const { autosave: reopened } = { autosave: new Autosave(at.server, fixture().ports) };
    expect(reopened.yours.title).toBe('');
    expect(reopened.isUnsaved).toBe(false);
    autosave.edit({ title: 'Untitled document' });
    expect(autosave.state).toEqual({ status: 'Saved', conflicts: [] });
    expect(autosave.yours.title).toBe('Untitled document');
  });

  it('saving a document that is being written reports a missing document, and does not retry automatically', async () => {
    const { at, autosave } = fixture();
    at.refusals = [new Failure('Not found.', 404)];
    autosave.edit({ content: 'mine' });
    await jest.advanceTimersByTimeAsync(120_000);
    expect([at.missing, at.saves]).toEqual([1, 1]);
    expect(at.draft).toMatchObject({ yours: { content: 'mine' } });
  });
});

describe('creating a document by saving it', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function newDocument() {
    const { at, ports } = fixture();
    const autosave = new Autosave(NOTHING, ports);
    return { at, ports, autosave };
  }

  it('creating a document by saving it creates it two seconds after the first pause, then saves what was typed in the meantime', async () => {
    const { at, ports, autosave } = newDocument();
    const { create } = ports;
    ports.create = (texts) => {
      autosave.edit({ content: 'abc' });
      return create(texts);
    };
    expect(autosave.state).toEqual({ status: 'New', conflicts: [] });
    autosave.edit({ content: 'ab' });
    await jest.advanceTimersByTimeAsync(2_100);
    expect(at.server).toEqual({ title: 'Untitled document', content: 'ab', version: 1 });
    expect(autosave.yours).toEqual({ title: '', content: 'abc' });
    await jest.advanceTimersByTimeAsync(5_100);
    expect(at.server).toEqual({ title: 'Untitled document', content: 'abc', version: 2 });
  });

  it('creating a document by saving it keeps what was typed when a retry repeats an earlier request', async () => {
    const { at, ports, autosave } = newDocument();
    const first = { title: 'Plan', content: 'first' };
    ports.create = () => {
      at.server = { ...first, version: 1 };
      return Promise.resolve({ document: at.server, sent: first });
    };
    autosave.edit({ title: 'Plan B', content: 'first and second' });
    await autosave.create();
    expect(autosave.yours).toEqual({ title: 'Plan B', content: 'first and second' });
    await jest.advanceTimersByTimeAsync(5_100);
    expect(at.server).toEqual({ title: 'Plan B', content: 'first and second', version: 2 });
  });

  it('creating a document by saving it shows the text of a template, with the title typed in the meantime', async () => {
    const { at, ports, autosave } = newDocument();
    ports.create = (sent) => {
      at.server = { title: 'Offer', content: 'Dear Bob,', version: 1 };
      autosave.edit({ title: 'Offer to Bob' });
      return Promise.resolve({ document: at.server, sent });
    };
    await autosave.create();
    expect(autosave.yours).toEqual({ title: 'Offer to Bob', content: 'Dear Bob,' });
  });

  it('creating a document by saving it creates nothing while nothing is typed', async () => {
    const { at, autosave } = newDocument();
    await autosave.save();
    autosave.flush();
    await jest.advanceTimersByTimeAsync(120_000);
    expect(at.saves).toBe(0);
  });
});

describe('saving details next to the text', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('saving details next to the text saves them one second after a change, and saves the text even if they are refused', async () => {
    const { at, ports } = fixture();
    const sent: number[] = [];
    let refusal: Failure | undefined;
    ports.details = {
      ...NO_DETAILS,
      isUnsaved: () => true,
      canSend: () => refusal === undefined,
      failure: () => refusal,
      send: (version) => {
        sent.push(version);
        refusal = new Failure('There is no such language.', 400);
        return Promise.reject(refusal);
      },
    };
    const autosave = new Autosave(at.server, ports);
    autosave.editDetails();
    await jest.advanceTimersByTimeAsync(1_100);
    expect(sent).toEqual([1]);
    expect(autosave.state).toMatchObject({ status: 'Not saved', failure: { status: 400 } });
    autosave.edit({ content: 'text' });
    await jest.advanceTimersByTimeAsync(60_000);
    expect([at.server.content, sent]).toEqual(['text', [1]]);
    expect(autosave.state).toMatchObject({ status: 'Not saved', failure: { status: 400 } });
  });

  it('saving details next to the text waits for another edit while the details cannot be sent', async () => {
    const { at, ports } = fixture();
    let asked = 0;
    ports.details = {
      ...NO_DETAILS,
      isUnsaved: () => true,
      canSend: () => {
        asked += 1;
        return false;
      },
      failure: () => new Failure('The value is not valid JSON.', 400),
    };
    const autosave = new Autosave(at.server, ports);
    autosave.editDetails();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(1);
    expect(autosave.state.status).toBe('Not saved');
  });

  it('saving details next to the text does not claim to save a new document with only a language selected', async () => {
    const { at, ports } = fixture();
    ports.details = { ...NO_DETAILS, isUnsaved: () => true, canSend: () => true };
    const autosave = new Autosave(NOTHING, ports);
    autosave.editDetails();
    expect(autosave.state.status).toBe('New');
    await jest.advanceTimersByTimeAsync(60_000);
    expect([autosave.state.status, at.saves]).toEqual(['New', 0]);
    expect(at.draft).toBeDefined();
  });
});
