import { readEnvironment } from './config.js';
import { mayBeAt, modelSettings } from './model-settings.js';
import { ConfigurationError } from './variables.js';

function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    readEnvironment(variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

const LOCAL = { AI_BASE_URL: 'http://127.0.0.1:11434/v1', AI_MODEL: 'llama3' };
const PUBLIC = { AI_BASE_URL: 'https://api.example.com/v1', AI_MODEL: 'm', AI_API_KEY: 'sk-1' };
const PRODUCTION = { NODE_ENV: 'production', EMBEDDED_DATABASE: 'true' };

describe('The model', () => {
  it.each<[string, Record<string, string>]>([
    ['is none at all', {}],
    ['is a local one in development', LOCAL],
    ['is a public one', { ...PRODUCTION, ...PUBLIC }],
    ['is one of Anthropic', { AI_PROVIDER: 'anthropic', AI_MODEL: 'claude', AI_API_KEY: 'k' }],
    [
      'is in an opened network',
      {
        ...PRODUCTION,
        AI_MODEL: 'm',
        AI_BASE_URL: 'http://10.1.2.3/v1',
        AI_ALLOWED_NETWORKS: '10.0.0.0/8',
      },
    ],
    [
      'is by its name in an opened network',
      {
        ...PRODUCTION,
        AI_MODEL: 'm',
        AI_BASE_URL: 'http://ollama:11434/v1',
        AI_ALLOWED_NETWORKS: '10.0.0.0/8',
      },
    ],
  ])('can be configured so that it %s', (_, variables) => {
    expect(problemsOf(variables)).toEqual([]);
  });

  it.each<[Record<string, string>, RegExp]>([
    [
      { AI_BASE_URL: PUBLIC.AI_BASE_URL, AI_API_KEY: 'k' },
      /^AI_MODEL is required with AI_BASE_URL, AI_API_KEY;/,
    ],
    [{ AI_MODEL: 'm' }, /^AI_BASE_URL is required with AI_MODEL;/],
    [
      { AI_MODEL: 'm', AI_PROVIDER: 'anthropic' },
      /^AI_API_KEY is required with AI_PROVIDER=anthropic;/,
    ],
    [
      { ...PUBLIC, AI_PROVIDER: 'openai' },
      /^AI_PROVIDER must be openai-compatible or anthropic \(did you mean openai-compatible\?\)\.$/,
    ],
    [{ ...PUBLIC, AI_BASE_URL: 'api.example.com' }, /^AI_BASE_URL is not a web address;/],
    [
      { ...PUBLIC, AI_BASE_URL: 'https://u:p@api.example.com' },
      /^AI_BASE_URL must not contain a user name/,
    ],
    [
      { ...PUBLIC, AI_BASE_URL: 'https://api.example.com/v1?key=1' },
      /^AI_BASE_URL must not have a query/,
    ],
    [
      { ...PRODUCTION, ...LOCAL },
      /^AI_BASE_URL points to 127\.0\.0\.1, which is not public; allow/,
    ],
    [
      { ...PUBLIC, AI_BASE_URL: 'https://169.254.169.254/v1' },
      /^AI_BASE_URL points to 169\.254\.169\.254/,
    ],
    [
      { ...PRODUCTION, ...PUBLIC, AI_BASE_URL: 'http://api.example.com/v1' },
      /^AI_BASE_URL must begin with https:/,
    ],
    [{ ...PUBLIC, AI_API_KEY: 'two words' }, /^AI_API_KEY must be printable ASCII/],
    [
      { ...PUBLIC, AI_TIME_LIMIT_SECONDS: '0' },
      /^AI_TIME_LIMIT_SECONDS must be seconds from 1 to 300\.$/,
    ],
    [{ ...PUBLIC, AI_ALLOWED_NETWORKS: 'home' }, /^AI_ALLOWED_NETWORKS contains something/],
  ])('with an invalid configuration ends startup with one sentence: %j', (variables, sentence) => {
    expect(problemsOf(variables)).toEqual([expect.stringMatching(sentence)]);
    expect(problemsOf(variables).join()).not.toContain('two words');
  });

  it('without encryption is accepted only in allowed networks', () => {
    const settings = modelSettings(readEnvironment(LOCAL));
    expect(settings && mayBeAt(settings, '127.0.0.1')).toBe(true);
    expect(settings && mayBeAt(settings, '93.184.216.34')).toBe(false);
    const secure = modelSettings(readEnvironment(PUBLIC));
    expect(secure && mayBeAt(secure, '93.184.216.34')).toBe(true);
    expect(secure && mayBeAt(secure, '10.0.0.1')).toBe(false);
  });
});
