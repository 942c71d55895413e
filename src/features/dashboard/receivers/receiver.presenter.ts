import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { ReceiverDto } from './dto/receiver.dto.js';
import type { TestReceiverEntity } from './entities/test-receiver.entity.js';

export function presentReceiver({ id, url, expiresAt }: TestReceiverEntity): ReceiverDto {
  return { id: encodeId('receiver', id), url, expiresAt: expiresAt.toISOString() };
}
