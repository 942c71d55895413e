import type { Call } from '../call.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../transport.js';
import type { Job, Query, Schemas } from '../types.js';
import { Jobs, type WaitOptions } from './jobs.js';
import { Resource } from './resource.js';

/** Analyzes texts that are not stored, and configures analysis for the account. */
export class Analysis extends Resource {
  /** Starts an analysis, and usually returns its job. {@link analyzeAndWait} waits for the analysis. */
  analyze(
    body: Schemas['AnalyzeText'],
    options?: RequestOptions,
  ): Call<Schemas['TextAnalysis'] | Job> {
    return this.api.request('POST', '/v1/analyze', { body, ...options });
  }

  /** Analyzes the text and waits for the result. */
  async analyzeAndWait(
    body: Schemas['AnalyzeText'],
    options: WaitOptions = {},
  ): Promise<Schemas['TextAnalysis']> {
    const made = await this.analyze(body, options);
    if ('scores' in made) return made;
    const { result } = await new Jobs(this.api).wait(made.id, options);
    return result as Schemas['TextAnalysis'];
  }

  /** All rules with examples, except style rules. `updateSettings` switches rules off. */
  rules(
    query?: Query<'listAnalysisRules'>,
    options?: RequestOptions,
  ): List<Schemas['AnalysisRule']> {
    return this.api.list('/v1/analysis-rules', { query, ...options });
  }

  settings(options?: RequestOptions): Call<Schemas['AccountSettings']> {
    return this.api.request('GET', '/v1/analysis-settings', { ...options });
  }

  updateSettings(
    body: Schemas['PatchAccountSettings'],
    options?: RequestOptions,
  ): Call<Schemas['AccountSettings']> {
    return this.api.request('PATCH', '/v1/analysis-settings', { body, ...options });
  }
}

/** Words that the spelling check accepts. */
export class Dictionary extends Resource {
  get(options?: RequestOptions): Call<Schemas['Dictionary']> {
    return this.api.request('GET', '/v1/dictionary', { ...options });
  }

  add(body: Schemas['DictionaryChange'], options?: RequestOptions): Call<Schemas['Dictionary']> {
    return this.api.request('POST', '/v1/dictionary/add', { body, ...options });
  }

  remove(body: Schemas['DictionaryChange'], options?: RequestOptions): Call<Schemas['Dictionary']> {
    return this.api.request('POST', '/v1/dictionary/remove', { body, ...options });
  }
}

/** Versions of the account's style rules. */
export class StyleRules extends Resource {
  create(body: Schemas['CreateStyleRules'], options?: RequestOptions): Call<Schemas['StyleRules']> {
    return this.api.request('POST', '/v1/style-rules', { body, ...options });
  }

  list(query?: Query<'listStyleRules'>, options?: RequestOptions): List<Schemas['StyleRules']> {
    return this.api.list('/v1/style-rules', { query, ...options });
  }

  get(version: number, options?: RequestOptions): Call<Schemas['StyleRules']> {
    return this.api.request('GET', '/v1/style-rules/{version}', { path: { version }, ...options });
  }

  /** Tries rules on a text. Stores nothing. */
  test(
    body: Schemas['TestStyleRules'],
    options?: RequestOptions,
  ): Call<Schemas['StyleRuleFindings']> {
    return this.api.request('POST', '/v1/style-rules/test', { body, ...options });
  }

  import(
    body: Schemas['ImportStyleRules'],
    options?: RequestOptions,
  ): Call<Schemas['ImportedStyleRules']> {
    return this.api.request('POST', '/v1/style-rules/import', { body, ...options });
  }

  activate(version: number, options?: RequestOptions): Call<Schemas['StyleRules']> {
    const parts = { path: { version }, ...options };
    return this.api.request('POST', '/v1/style-rules/{version}/activate', parts);
  }

  /** Deactivates the active version. */
  deactivate(options?: RequestOptions): Call<Schemas['InactiveStyleRules']> {
    return this.api.request('POST', '/v1/style-rules/deactivate', { ...options });
  }

  /** Tests the version on the account's documents. */
  dryRun(version: number, options?: RequestOptions): Call<Job> {
    const parts = { path: { version }, ...options };
    return this.api.request('POST', '/v1/style-rules/{version}/dry-run', parts);
  }
}
