import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { ERROR_STATUS, failureBody } from '../../../platform/http/envelope/envelope.js';
import { decodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { AnyOperation } from './batch-operation.js';
import type { BatchOutcome } from './batch-operations.service.js';

/** Returns one result per operation, in order. With an origin, failures link to their documentation. */
export function batchResponse(
  outcomes: readonly BatchOutcome[],
  operations: readonly AnyOperation[],
  origin: string | undefined,
): ApiResponse {
  const results = outcomes.map((outcome, index) =>
    resultJson(outcome, operations[index] as AnyOperation, origin),
  );
  const storedTexts = outcomes.flatMap((outcome) =>
    'failure' in outcome ? [] : (outcome.storedText ?? []),
  );
  return new ApiResponse(`{"results":[${results.join(',')}]}`, { storedTexts });
}

function resultJson(
  outcome: BatchOutcome,
  operation: AnyOperation,
  origin: string | undefined,
): string {
  const head = (id: string | null, status: number) =>
    `{"op":"${operation.op}","id":${JSON.stringify(id)},"status":${String(status)}`;
  if (!('failure' in outcome)) {
    const { id, status, json, warnings } = outcome;
    const doubts = warnings?.length ? `,"warnings":${JSON.stringify(warnings)}` : '';
    return `${head(id, status)},"data":${json}${doubts}}`;
  }
  const { status } = ERROR_STATUS[outcome.failure.kind];
  return `${head(namedBy(operation), status)},"error":${failureBody(outcome.failure, origin)}}`;
}

/** Returns the ID in the operation, or null if there is none or it is malformed. */
function namedBy(operation: AnyOperation): string | null {
  if (operation.op === 'create' || operation.op === 'upsert') return null;
  const id = 'id' in operation ? operation.id : undefined;
  return typeof id !== 'string' || decodeId('document', id) === undefined ? null : id;
}
