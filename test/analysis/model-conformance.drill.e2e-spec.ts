import { AnalysisProviders } from '../../src/features/analysis/providers/analysis-providers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { edits, FakeModel, type ModelBehaviour } from '../support/fake-model.js';
import { itConforms } from './provider-conformance.js';

/** Corrects the word everywhere, even where it must not be changed. */
const corrects: ModelBehaviour = (asked, response) => {
  const found = asked.paragraphs.flatMap((text, index) =>
    [...text.matchAll(/(\S*\s?)definately/g)].map(([, before = '']) => ({
      ...{ paragraph: index + 1, find: 'definately', before },
      ...{ replace: 'definitely', reason: 'A spelling mistake.' },
    })),
  );
  return edits(...found)(asked, response);
};

describe('The provider with a model', () => {
  let app: TestApp;
  let model: FakeModel;
  let accountId: string;
  beforeAll(async () => {
    model = await FakeModel.start(corrects);
    const environment = { AI_BASE_URL: model.url, AI_MODEL: 'fake-1' };
    app = await startTestApp({ environment });
    ({ accountId } = await app.account());
  });
  afterAll(async () => {
    await app.close();
    await model.close();
  });

  it('The provider with a model does not send unchanged paragraphs to the model again', async () => {
    const provider = app.app.get(AnalysisProviders).get('model');
    const look = (content: string, kept: string | null) =>
      provider.analyze(
        {
          ...{ accountId, content, format: 'plain', kept, dismissed: [] },
          rules: { words: [], styleRules: [] },
          settings: { checks: ['spelling'], language: 'en', suggestionLevel: 'medium' },
        },
        new AbortController().signal,
      );
    const { paragraphs } = await look('First one.\n\nSecond one.', null);
    model.asked.length = 0;
    await look('A new one.\n\nFirst one.\n\nSecond one.', paragraphs);
    expect(model.asked.map((asked) => asked.paragraphs)).toEqual([['A new one.']]);
  });

  itConforms(() => ({ provider: app.app.get(AnalysisProviders).get('model'), accountId }));
});
