import { AppLink } from '../../../components/app-link.js';
import { Icon } from '../../../components/icons.js';
import { exactTime, useNow } from '../../../components/time.js';
import { shortTime, usePendingReleases } from '../../releases/releases.js';
import classes from './document-publishing.module.css';

interface NextReleaseProps {
  documentId: string;
  mayWrite: boolean;
}

/** Says when the document is published or unpublished next. Opens its schedule, or the release. */
export function NextRelease({ documentId, mayWrite }: NextReleaseProps) {
  const now = useNow();
  const { data: pending = [] } = usePendingReleases(documentId);
  const next = pending.find(({ publishAt }) => publishAt !== null);
  if (next?.publishAt == null) return null;
  const { id, title, items } = next;
  const at = new Date(next.publishAt);
  const ends = items.find((item) => item.id === documentId)?.action === 'unpublish';
  const isSchedule = title === null && mayWrite;
  const search = (before: object) =>
    isSchedule ? { ...before, dialog: 'schedule' } : { open: id };
  return (
    <AppLink
      to={isSchedule ? '.' : '/{-$accountId}/releases'}
      search={search as never}
      className={classes.next}
      title={title === null ? exactTime(at) : `${title}, ${exactTime(at)}`}
    >
      <Icon name="history" size={16} />
      <span>
        {ends ? 'Unpublishes' : 'Scheduled'} {shortTime(at, now)}
      </span>
    </AppLink>
  );
}
