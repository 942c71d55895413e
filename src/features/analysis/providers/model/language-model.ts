import type { LanguageModel } from 'ai';
import { type ModelSettings, mayBeAt } from '../../../../platform/config/model-settings.js';
import { GuardedFetch } from '../../../../platform/network/guarded-fetch.js';
import { EDITS_SCHEMA, TEXT_SCHEMA, type Prompt } from './prompt.js';

/** How a model is asked for JSON; each one is understood by more servers than the one before. */
export const FORMATS = ['json_schema', 'json_object', 'text'] as const;

/** What a server turned out to understand. */
export interface ModelTraits {
  format: (typeof FORMATS)[number];
  takesTemperature: boolean;
  tokenLimit: 'max_tokens' | 'max_completion_tokens';
  tellsUsage: boolean;
}

export interface ModelCall {
  prompt: Prompt;
  answer: 'edits' | 'text';
  maxOutputTokens: number;
  traits: ModelTraits;
  signal: AbortSignal;
  /** Called when the server has begun to answer with success. */
  onBegin: () => void;
}

/** What arrives of an answer; `usage` as far as the server tells it. */
export type ModelPart =
  { text: string } | { usage: { input: number | undefined; output: number | undefined } };

/** For one answer: what a model that has lost its way may send before it is ended. */
const MAX_ANSWER_BYTES = 1024 ** 2;
const CONNECT_TIMEOUT_MS = 10_000;

/** A model behind the AI SDK, whose packages are loaded with the first call. */
export class AiSdkModel {
  private readonly guarded: GuardedFetch;

  constructor(private readonly settings: ModelSettings) {
    this.guarded = new GuardedFetch({
      isAllowed: (address) => mayBeAt(settings, address),
      connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, settings.timeLimitMs),
      maxAnswerBytes: MAX_ANSWER_BYTES,
    });
  }

  /** The answer as it arrives. Throws what the SDK and the network throw; what becomes of that is `problemOf`. */
  async *stream(call: ModelCall): AsyncGenerator<ModelPart> {
    const { prompt, traits, answer, signal } = call;
    const { streamText, Output } = await loadSdk();
    const output = {
      json_schema: () =>
        answer === 'edits'
          ? Output.object({ schema: EDITS_SCHEMA, name: answer })
          : Output.object({ schema: TEXT_SCHEMA, name: answer }),
      json_object: () => Output.json(),
      text: () => Output.text(),
    }[traits.format]();
    const { fullStream } = streamText({
      model: await this.open(call),
      system: prompt.system,
      prompt: prompt.user,
      maxOutputTokens: call.maxOutputTokens,
      ...(traits.takesTemperature && { temperature: 0 }),
      // Each attempt is counted on its own, and waits as the server wishes: see `ModelCalls`.
      maxRetries: 0,
      abortSignal: signal,
      output,
      providerOptions: { anthropic: { structuredOutputMode: 'outputFormat' } },
      // Without it the SDK prints errors, which hold the text that was sent.
      onError: () => undefined,
    });
    for await (const part of fullStream) {
      if (part.type === 'text-delta') yield { text: part.text };
      else if (part.type === 'error') throw part.error;
      else if (part.type === 'finish') {
        const { inputTokens: input, outputTokens: told } = part.totalUsage;
        yield { usage: { input, output: told } };
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
      const answer = await this.guarded.fetch(input, init);
      if (answer.ok) onBegin();
      return provider === 'anthropic' ? answer : streamOfPlainAnswer(answer);
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
      includeUsage: traits.tellsUsage,
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

/** Warnings of the SDK go to the console, past our log. */
async function loadSdk() {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  return import('ai');
}

/** As far as it is needed here. */
interface Completion {
  choices?: { message?: { content?: unknown }; finish_reason?: unknown }[];
}

/**
 * Some servers answer in one piece although they were asked for a stream: that becomes a stream of one piece. Any other
 * answer stays as it is.
 */
export async function streamOfPlainAnswer(answer: Response): Promise<Response> {
  const isJson = /^application\/json\b/i.test(answer.headers.get('content-type') ?? '');
  if (!answer.ok || !isJson) return answer;
  const text = await answer.text();
  let completion: unknown;
  try {
    completion = JSON.parse(text);
  } catch {
    completion = undefined;
  }
  // What is no completion is told as the SDK tells a piece that it does not understand.
  const pieces = completion === undefined ? [] : [asPiece(completion as Completion)];
  const stream = [...pieces.map((piece) => JSON.stringify(piece)), '[DONE]'];
  return new Response(stream.map((piece) => `data: ${piece}\n\n`).join(''), {
    status: answer.status,
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
