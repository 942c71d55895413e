import type { LanguageModel } from 'ai';
import { type ModelSettings, mayBeAt } from '../../../../platform/config/model-settings.js';
import { GuardedFetch } from '../../../../platform/network/guarded-fetch.js';
import { EDITS_SCHEMA, TEXT_SCHEMA, type Prompt } from './prompt.js';

/** Ways to request JSON from a model, from the least to the most widely supported. */
export const FORMATS = ['json_schema', 'json_object', 'text'] as const;

/** Request features that a server supports. */
export interface ModelTraits {
  format: (typeof FORMATS)[number];
  takesTemperature: boolean;
  tokenLimit: 'max_tokens' | 'max_completion_tokens';
  reportsUsage: boolean;
}

export interface ModelCall {
  prompt: Prompt;
  output: 'edits' | 'text';
  maxOutputTokens: number;
  traits: ModelTraits;
  signal: AbortSignal;
  /** Called when the server starts a successful response. */
  onBegin: () => void;
}

/** A part of a response. `usage` contains only what the server reports. */
type ModelPart =
  { text: string } | { usage: { input: number | undefined; output: number | undefined } };

/** Limit for one response, because a model can repeat itself endlessly. */
const MAX_RESPONSE_BYTES = 1024 ** 2;
const CONNECT_TIMEOUT_MS = 10_000;

/** A model that is called with the AI SDK. The first call loads its packages. */
export class AiSdkModel {
  private readonly guarded: GuardedFetch;

  constructor(private readonly settings: ModelSettings) {
    this.guarded = new GuardedFetch({
      isAllowed: (address) => mayBeAt(settings, address),
      connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, settings.timeLimitMs),
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
  }

  /** Yields the response as it arrives. Throws the errors of the SDK and the network, which `problemOf` classifies. */
  async *stream(call: ModelCall): AsyncGenerator<ModelPart> {
    const { prompt, traits, output, signal } = call;
    const { streamText, Output } = await loadSdk();
    const format = {
      json_schema: () =>
        output === 'edits'
          ? Output.object({ schema: EDITS_SCHEMA, name: output })
          : Output.object({ schema: TEXT_SCHEMA, name: output }),
      json_object: () => Output.json(),
      text: () => Output.text(),
    }[traits.format]();
    const { fullStream } = streamText({
      model: await this.open(call),
      system: prompt.system,
      prompt: prompt.user,
      maxOutputTokens: call.maxOutputTokens,
      ...(traits.takesTemperature && { temperature: 0 }),
      // `ModelCalls` retries, because it charges each attempt and respects `Retry-After`.
      maxRetries: 0,
      abortSignal: signal,
      output: format,
      providerOptions: { anthropic: { structuredOutputMode: 'outputFormat' } },
      // Without a handler, the SDK prints errors, which contain the text of the request.
      onError: () => undefined,
    });
    for await (const part of fullStream) {
      if (part.type === 'text-delta') yield { text: part.text };
      else if (part.type === 'error') throw part.error;
      else if (part.type === 'finish') {
        const { inputTokens: input, outputTokens: output } = part.totalUsage;
        yield { usage: { input, output } };
      }
    }
    signal.throwIfAborted();
  }

  close(): Promise<void> {
    return this.guarded.close();
  }

  private async open({ traits, onBegin }: ModelCall): Promise<LanguageModel> {
    const { provider, baseUrl: baseURL, model, apiKey } = this.settings;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await this.guarded.fetch(input, init);
      if (response.ok) onBegin();
      return provider === 'anthropic' ? response : streamOfPlainResponse(response);
    };
    if (provider === 'anthropic') {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey: apiKey ?? '', fetch })(model);
    }
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const open = createOpenAICompatible({
      name: 'model',
      baseURL,
      ...(apiKey !== undefined && { apiKey }),
      includeUsage: traits.reportsUsage,
      supportsStructuredOutputs: traits.format === 'json_schema',
      fetch,
      transformRequestBody: ({ max_tokens, ...body }) => ({
        ...body,
        [traits.tokenLimit]: max_tokens as number,
      }),
    });
    return open(model);
  }
}

/** Loads the SDK with its warnings turned off, because they go to the console instead of the log. */
async function loadSdk() {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  return import('ai');
}

/** The fields of a chat completion that are needed here. */
interface Completion {
  choices?: { message?: { content?: unknown }; finish_reason?: unknown }[];
}

/**
 * Converts a JSON completion to a stream of one chunk, because some servers ignore the request for a stream. Returns other
 * responses unchanged.
 */
async function streamOfPlainResponse(response: Response): Promise<Response> {
  const isJson = /^application\/json\b/i.test(response.headers.get('content-type') ?? '');
  if (!response.ok || !isJson) return response;
  const text = await response.text();
  let completion: unknown;
  try {
    completion = JSON.parse(text);
  } catch {
    completion = undefined;
  }
  // The SDK reports anything other than a completion as an invalid chunk.
  const pieces = completion === undefined ? [] : [asPiece(completion as Completion)];
  const stream = [...pieces.map((piece) => JSON.stringify(piece)), '[DONE]'];
  return new Response(stream.map((piece) => `data: ${piece}\n\n`).join(''), {
    status: response.status,
    headers: { 'content-type': 'text/event-stream' },
  });
}

function asPiece(completion: Completion): unknown {
  if (!Array.isArray(completion.choices)) return completion;
  const choices = completion.choices.map(({ message, ...choice }, index) => ({
    index,
    delta: { role: 'assistant', content: message?.content ?? '' },
    finish_reason: choice.finish_reason ?? 'stop',
  }));
  return { ...completion, object: 'chat.completion.chunk', choices };
}
