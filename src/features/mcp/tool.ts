import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { grants, type Scope } from '../auth/scopes.js';
import { unknownNameIssue } from '../../platform/http/envelope/nearest-name.js';
import { adviceFor, ApiFailure, Unreachable, type Api } from './api.js';

/** An error of a tool. Its message says what to do instead. */
export class ToolError extends Error {}

interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  /** The schema of `structuredContent`. */
  output: Output;
  /** Determines the hints for read-only, destructive and idempotent tools. */
  effect: 'reads' | 'adds' | 'changes' | 'changes to the same';
  /** The scopes that it needs. */
  scopes: readonly Scope[];
  /** Scopes that suffice instead. */
  orScopes?: readonly Scope[];
  run: (args: z.output<Input>, api: Api) => Promise<z.input<Output>>;
}

/** A tool: its listing and its implementation. */
export interface Tool {
  listed: ListedTool;
  /** True if a key with these scopes can use the tool. */
  isGrantedBy(scopes: readonly Scope[]): boolean;
  /** For expected errors, returns a refusal with the next step. Rejects for unexpected ones. */
  call(args: unknown, api: Api): Promise<CallToolResult>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { name, title, description, input, output, effect, run, scopes, orScopes } = definition;
  return {
    isGrantedBy: (granted) =>
      [scopes, orScopes].some((needed) => needed?.every((scope) => grants(granted, scope))),
    listed: {
      name,
      title,
      description,
      inputSchema: schemaOf(input, 'input'),
      outputSchema: schemaOf(output, 'output'),
      annotations: {
        title,
        readOnlyHint: effect === 'reads',
        destructiveHint: effect.startsWith('changes'),
        idempotentHint: effect === 'reads' || effect === 'changes to the same',
        openWorldHint: false,
      },
    },
    call: async (args, api) => {
      const read = input.safeParse(args ?? {});
      if (!read.success) return refusal(argumentProblems(name, input, read.error));
      try {
        return success(await run(read.data, api));
      } catch (error) {
        return refusal(sentencesOf(error, name));
      }
    },
  };
}

/** Returns the JSON Schema of an object. Removes redundant keywords, because every client's model reads the schema. */
function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): ListedTool['inputSchema'] {
  const listed = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      delete jsonSchema.propertyNames;
      // Results may get more fields later.
      if (io === 'output') delete jsonSchema.additionalProperties;
    },
  });
  delete listed.$schema;
  return listed as ListedTool['inputSchema'];
}

/** Returns the result twice: structured, and as text for clients that pass only text to the model. */
function success(result: Record<string, unknown>): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(result) }],
    structuredContent: result,
  };
}

export function refusal(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function sentencesOf(error: unknown, tool: string): string {
  if (error instanceof ToolError || error instanceof Unreachable) return error.message;
  if (error instanceof ApiFailure) return `${error.message}${adviceFor(error, tool)}`;
  throw error;
}

/** Maximum number of reported problems. */
const MAX_PROBLEMS = 10;
/** Maximum number of characters of an unknown name in an error. */
const MAX_NAME = 64;

function argumentProblems(tool: string, input: z.ZodObject, { issues }: z.ZodError): string {
  const problems = issues
    .slice(0, MAX_PROBLEMS)
    .flatMap((issue) => problemsOf(issue, Object.keys(input.shape)));
  return `${problems.slice(0, MAX_PROBLEMS).join('. ')}. Correct this and call ${tool} again.`;
}

function problemsOf(issue: z.core.$ZodIssue, known: readonly string[]): string[] {
  const path = pathOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const names = issue.path.length === 0 ? known : [];
    return issue.keys
      .slice(0, MAX_PROBLEMS)
      .map(
        (key) =>
          `${pathOf([...issue.path, key])} ${names.length > 0 ? unknownNameIssue(key, names) : 'is not a known argument here'}`,
      );
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) return [`${path} is missing`];
  return [`${path}: ${issue.message}`];
}

function pathOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'arguments';
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${String(step)}]`;
      const name = String(step).slice(0, MAX_NAME);
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}
