import fc from 'fast-check';
import { Failure } from '../../packages/dashboard/src/api/failure.js';
import { Autosave } from '../../packages/dashboard/src/pages/documents/editor/autosave.js';
import { bothTexts } from '../../packages/dashboard/src/pages/documents/editor/conflicts.js';
import type { Snapshot } from '../../packages/dashboard/src/pages/documents/editor/texts.js';
import { propertyRuns } from '../support/property-runs.js';

/** A document on a service, and the people who write it. */
class SharedDocument {
  server: Snapshot = { title: 'Plan', content: '', version: 1 };

  constructor(content: string) {
    this.server = { ...this.server, content };
  }

  writer(): Autosave<Snapshot> {
    return new Autosave<Snapshot>(this.server, {
      create: () => Promise.reject(new Error('The document exists.')),
      save: (changes, version) => {
        if (version !== this.server.version) return Promise.reject(new Failure('Changed.', 412));
        this.server = { ...this.server, ...changes, version: version + 1 };
        return Promise.resolve(this.server);
      },
      load: () => Promise.resolve(this.server),
      details: {
        isUnsaved: () => false,
        canSend: () => false,
        needDocument: () => false,
        failure: () => undefined,
        send: () => Promise.reject(new Error('There is nothing to send.')),
      },
      isPaused: () => false,
      isSuggestion: () => false,
      authorOf: () => undefined,
      keepDraft: () => undefined,
      onDocument: () => undefined,
      onTexts: () => undefined,
      onMissing: () => undefined,
      onState: () => undefined,
    });
  }
}

const step = fc.record({
  who: fc.nat(1),
  /** Which word of the text, as a share of its length. */
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom('replace', 'insert', 'delete', 'save', 'save', 'hear'),
});

describe('two people writing one paragraph', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('two people writing one paragraph have the same text at the end, and no word is lost outside conflicts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 200 }), async (steps) => {
        const words = Array.from({ length: 40 }, (_, index) => `w${String(index)}`);
        const shared = new SharedDocument(words.join(' '));
        const writers = [shared.writer(), shared.writer()] as const;
        // Words that somebody wrote and nobody has replaced or deleted.
        const written = new Set<string>();
        let count = 0;
        for (const { who, at, kind } of steps) {
          const writer = writers[who] as Autosave<Snapshot>;
          if (kind === 'save') await writer.save();
          else if (kind === 'hear') await writer.hear(shared.server);
          else {
            const current = writer.yours.content.split(' ');
            const index = Math.min(current.length - 1, Math.floor(at * current.length));
            const word = `p${String((count += 1))}`;
            // Words of a conflict may have no space between them.
            const gone = kind === 'insert' ? [] : (current[index]?.match(/p\d+/g) ?? []);
            for (const one of gone) written.delete(one);
            current.splice(index, kind === 'insert' ? 0 : 1, ...(kind === 'delete' ? [] : [word]));
            if (kind !== 'delete') written.add(word);
            writer.edit({ content: current.join(' ') });
          }
        }
        // Everybody decides for both sides and saves, until nothing is left.
        for (let round = 0; round < 6; round += 1) {
          for (const writer of writers) {
            await writer.save();
            const { conflicts } = writer.state;
            const content = [...conflicts]
              .reverse()
              .reduce(
                (text, { from, to, yours, theirs }) =>
                  text.slice(0, from) + bothTexts({ yours, theirs }) + text.slice(to),
                writer.yours.content,
              );
            writer.endConflicts(conflicts.map(({ id }) => id));
            writer.edit({ content });
            await writer.save();
          }
        }
        for (const writer of writers) {
          await writer.hear(shared.server);
          expect(writer.state).toMatchObject({ status: 'Saved', conflicts: [] });
          expect(writer.yours.content).toBe(shared.server.content);
        }
        const left = new Set(shared.server.content.match(/p\d+/g));
        expect([...written].filter((word) => !left.has(word))).toEqual([]);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it.each([
    [
      'both delete a paragraph, and one adds a sentence to the next',
      'The team meets on Monday.\n\nThe team ships in May.\n',
      'The team ships in May.\n',
      'The team ships in May. BOB added this.\n',
    ],
    [
      'both delete an item, and one adds a sentence to the next',
      '- The team ships in May.\n- The team meets on Monday.\n',
      '- The team meets on Monday.\n',
      '- The team meets on Monday. BOB added this.\n',
    ],
    [
      'one deletes an item, and the other joins both',
      '- one\n- two\n',
      '- two\n',
      '- one BOB two\n',
    ],
  ])(
    'two people writing one paragraph keep every word of the other: %s',
    async (_, base, mine, theirs) => {
      const shared = new SharedDocument(base);
      const [ada, bob] = [shared.writer(), shared.writer()];
      ada.edit({ content: mine });
      bob.edit({ content: theirs });
      await bob.save();
      await ada.save();
      expect(shared.server.content).toContain('BOB');
      expect(ada.yours.content + ada.state.conflicts.map((one) => one.theirs).join('')).toContain(
        'BOB',
      );
    },
  );

  it('two people writing one paragraph keep a paragraph with an open conflict when others around it are edited', async () => {
    const shared = new SharedDocument(
      'Ada leads the project.\n\nNobody knows the date.\n\nThe budget is 100 euros.',
    );
    const [ada, bob] = [shared.writer(), shared.writer()];
    bob.edit({ content: shared.server.content.replace('knows', 'BOB') });
    await bob.save();
    ada.edit({ content: ada.yours.content.replace('knows', 'ADA') });
    await ada.save();
    const typed = ada.yours.content.replace('Ada leads', 'Ada\n\nleads').replace('euros', 'eurosx');
    ada.edit({ content: typed });
    await ada.save();
    expect(shared.server.content).toBe(typed.replace('ADA', 'BOB'));
    expect(ada.state.conflicts).toMatchObject([{ yours: 'ADA', theirs: 'BOB' }]);
  });
});
