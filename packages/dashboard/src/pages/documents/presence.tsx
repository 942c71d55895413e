import { useEffect, useRef } from 'react';
import { useAccount, useUser } from '../../api/session.js';
import { colorOf, initialsOf } from '../../components/initials.js';
import { countOf } from '../../components/numbers.js';
import type { SessionView } from './editor/document-session.js';
import classes from './presence.module.css';

/** A person or an API key that has the document open. */
export interface Reader {
  userId: string;
  /** Null for a person. */
  keyId: string | null;
  name: string;
  state: 'viewing' | 'editing';
}

/** A message of the stream about a document. */
export interface PresenceFrame {
  documentId: string;
  entries: readonly Reader[];
  /** Total number, including those not listed. */
  total: number;
}

/** Maximum number of avatars, followed by the number of the others. */
const SHOWN = 4;
/** Interval for reporting to the service that somebody is typing, in ms. It forgets after 60 s. */
const EDITING_EVERY = 30_000;

/** Returns the other people and API keys that have the document open. */
function useOthers(frame: PresenceFrame | undefined): { readers: Reader[]; total: number } {
  const { id } = useUser();
  if (!frame) return { readers: [], total: 0 };
  const isMe = ({ userId, keyId }: Reader) => userId === id && keyId === null;
  const readers = frame.entries.filter((entry) => !isMe(entry));
  return { readers, total: frame.total - (frame.entries.length - readers.length) };
}

/** Shows the others who have the document open. */
export function Avatars({ frame }: { frame: PresenceFrame | undefined }) {
  const { readers, total } = useOthers(frame);
  if (readers.length === 0) return null;
  const hidden = total - Math.min(SHOWN, readers.length);
  return (
    <ul className={classes.avatars} aria-label="Also here">
      {readers.slice(0, SHOWN).map(({ userId, keyId, name, state }) => {
        const words = `${name}, ${state}`;
        return (
          <li
            key={`${userId} ${keyId ?? ''}`}
            className={classes.avatar}
            data-color={colorOf(keyId ?? userId)}
            data-editing={state === 'editing' || undefined}
            title={words}
          >
            <span aria-hidden>{initialsOf(name)}</span>
            <span className="visually-hidden">{words}</span>
          </li>
        );
      })}
      {hidden > 0 && (
        <li className={classes.avatar} title={countOf(hidden, 'more person', 'more people')}>
          +{hidden}
        </li>
      )}
    </ul>
  );
}

/** Tells others that this person is typing, while there are others. */
export function useEditingPresence(view: SessionView, frame: PresenceFrame | undefined): void {
  const { api } = useAccount();
  const { documentId, texts } = view;
  const isUnsaved = view.isUnsaved && view.suggesting === undefined;
  const hasOthers = useOthers(frame).readers.length > 0;
  const toldAt = useRef(-Infinity);
  useEffect(() => {
    if (!isUnsaved || !hasOthers || documentId === undefined) return;
    if (Date.now() - toldAt.current < EDITING_EVERY) return;
    toldAt.current = Date.now();
    const path = { id: documentId };
    // A failure has no consequence.
    void api
      .PUT('/v1/documents/{id}/presence', { params: { path }, body: { state: 'editing' } })
      .catch(() => undefined);
  }, [api, documentId, hasOthers, isUnsaved, texts]);
  useEffect(() => {
    if (documentId === undefined) return undefined;
    const leave = () => {
      if (toldAt.current === -Infinity) return;
      toldAt.current = -Infinity;
      const path = { id: documentId };
      void api
        .DELETE('/v1/documents/{id}/presence', { params: { path }, keepalive: true })
        .catch(() => undefined);
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [api, documentId]);
}
