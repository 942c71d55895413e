import { isIP } from 'node:net';
import { isAllowedAddress } from '../network/allowed-address.js';
import { isInside } from '../network/ip-networks.js';
import type { GivenVariables } from './variables.js';

export const MODEL_PROVIDERS = ['openai-compatible', 'anthropic'] as const;

/** The language model that can process texts. */
export interface ModelSettings {
  provider: (typeof MODEL_PROVIDERS)[number];
  baseUrl: string;
  /** Name of the model on its server. */
  model: string;
  /** Undefined for servers that need no key. Never log it. */
  apiKey: string | undefined;
  /** Addresses and CIDR ranges of model servers that are not public. */
  allowedNetworks: readonly string[];
  /** Time limit for one response. */
  timeLimitMs: number;
}

const ANTHROPIC_URL = 'https://api.anthropic.com/v1';
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

interface ModelVariables {
  NODE_ENV: string;
  AI_PROVIDER?: ModelSettings['provider'] | undefined;
  AI_BASE_URL?: string | undefined;
  AI_MODEL?: string | undefined;
  AI_API_KEY?: string | undefined;
  AI_ALLOWED_NETWORKS?: readonly string[] | undefined;
  AI_TIME_LIMIT_SECONDS: number;
}

/** Returns the model settings; undefined if no model is configured. */
export function modelSettings(env: ModelVariables): ModelSettings | undefined {
  const { AI_PROVIDER: provider = 'openai-compatible', AI_MODEL: model } = env;
  if (model === undefined) return undefined;
  return {
    provider,
    baseUrl: (env.AI_BASE_URL ?? ANTHROPIC_URL).replace(/\/+$/, ''),
    model,
    apiKey: env.AI_API_KEY,
    allowedNetworks: env.AI_ALLOWED_NETWORKS ?? defaultNetworks(env.NODE_ENV),
    timeLimitMs: env.AI_TIME_LIMIT_SECONDS * 1000,
  };
}

/** Returns the problems between model variables, one sentence each. */
export function modelProblems(given: GivenVariables): string[] {
  const { AI_PROVIDER: provider = 'openai-compatible', AI_BASE_URL: url, AI_MODEL: model } = given;
  const set = ['AI_PROVIDER', 'AI_BASE_URL', 'AI_API_KEY', 'AI_ALLOWED_NETWORKS'].filter(
    (name) => given[name] !== undefined,
  );
  const problems: string[] = [];
  if (model === undefined && set.length > 0) {
    problems.push(
      `AI_MODEL is required with ${set.join(', ')}; set it to the name that the server uses for the model, or remove all AI_ variables to run without a model.`,
    );
  }
  if (model !== undefined && provider === 'openai-compatible' && url === undefined) {
    problems.push(
      'AI_BASE_URL is required with AI_MODEL; set it to the base URL of the API, such as https://api.openai.com/v1, or set AI_PROVIDER=anthropic.',
    );
  }
  if (model !== undefined && provider === 'anthropic' && given['AI_API_KEY'] === undefined) {
    problems.push(
      'AI_API_KEY is required with AI_PROVIDER=anthropic; create one in the Anthropic console.',
    );
  }
  if (url !== undefined) {
    const networks = given['AI_ALLOWED_NETWORKS']?.split(',').map((item) => item.trim());
    const issue = urlIssue(url, networks ?? defaultNetworks(given['NODE_ENV']));
    if (issue !== undefined) problems.push(`AI_BASE_URL ${issue}.`);
  }
  return problems;
}

function defaultNetworks(nodeEnv: string | undefined): readonly string[] {
  return nodeEnv === 'production' ? [] : LOOPBACK;
}

function urlIssue(text: string, networks: readonly string[]): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return 'is not a web address; write it like https://api.openai.com/v1';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain a user name or password; set the key as AI_API_KEY';
  }
  if (url.search !== '' || url.hash !== '') {
    return 'must not have a query or a fragment; end it with the path, such as /v1';
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAddress = isIP(host) !== 0;
  if (isAddress && !isAllowedAddress(host, networks)) {
    return `points to ${host}, which is not public; allow its network with AI_ALLOWED_NETWORKS`;
  }
  const isClear = url.protocol === 'http:';
  if (isClear && (isAddress ? !isInside(host, networks) : networks.length === 0)) {
    return 'must begin with https://; http sends texts and the key unencrypted, so it is allowed only in AI_ALLOWED_NETWORKS';
  }
  return undefined;
}

/** True if the model server can have this address. Unencrypted connections are allowed only in allowed networks. */
export function mayBeAt(
  { baseUrl, allowedNetworks }: Pick<ModelSettings, 'baseUrl' | 'allowedNetworks'>,
  address: string,
): boolean {
  const isAllowed = isAllowedAddress(address, allowedNetworks);
  return isAllowed && (baseUrl.startsWith('https:') || isInside(address, allowedNetworks));
}
