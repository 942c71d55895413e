export { DocumentService } from './document-service.js';
export type { ClientOptions } from './api.js';
export type { RequestOptions } from './transport.js';
export type { ApiResponse, Call, RateLimit } from './call.js';
/** @deprecated Use `ApiResponse`. */
export type { ApiResponse as Answer } from './call.js';
export type { List, Page } from './list.js';
export type { Change, UpdateOptions } from './conditional-update.js';
export type { EnhancementMessage, ImportFile } from './resources/documents.js';
export type { FollowedEvent, FollowOptions, StreamOptions } from './resources/events.js';
export type { WaitOptions } from './resources/jobs.js';
export { verifyWebhook, type ReceivedWebhook } from './verify-webhook.js';
export {
  ApiError,
  ConflictError,
  ConnectionError,
  DocumentServiceError,
  ExpiredCursorError,
  ForbiddenError,
  InternalError,
  InvalidRequestError,
  JobFailedError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
  UnauthorizedError,
  WebhookVerificationError,
  type ErrorCode,
  type ErrorDetails,
} from './errors.js';
export type {
  Document,
  DocumentListItem,
  EventDocument,
  Job,
  KnownEvent,
  LaterEvent,
  Query,
  Schemas,
  Template,
  Webhook,
  WebhookEvent,
} from './types.js';
export type { components, operations, paths } from './schema.js';
