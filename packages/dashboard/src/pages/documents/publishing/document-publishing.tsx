import { Button, Menu, UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore, type Ref } from 'react';
import { usePublishing } from '../../../api/publishing.js';
import { isFocusLost } from '../../../components/focus-lost.js';
import { IN_MAIN } from '../../../components/row-menu.js';
import { useAllowance } from '../../../components/use-allowance.js';
import { useDialogs } from '../../../components/use-dialogs.js';
import { MAIN_MOVES, MOVES, statusName, type Document } from '../document-types.js';
import { NextRelease } from './next-release.js';
import type { DocumentSession } from '../editor/document-session.js';
import { StatusBadge } from '../status-badge.js';
import { useStatusMove } from '../status-menu.js';
import classes from './document-publishing.module.css';
import { hasUnpublishedChanges, usePublishButton } from './publish.js';

export interface DocumentPublishingProps {
  part: 'state' | 'button' | 'items';
  session: DocumentSession;
  /** Of the main button. */
  mainRef?: Ref<HTMLButtonElement>;
}

/** The parts of the document page that are different while publishing is on. */
export default function DocumentPublishing({ part, session, mainRef }: DocumentPublishingProps) {
  const view = useSyncExternalStore(session.subscribe, session.snapshot);
  const mayWrite = useAllowance('documents:write').disabled !== true;
  const { document } = view;
  if (!document) return null;
  const props = { document, session, isChanged: hasUnpublishedChanges(view), mayWrite };
  switch (part) {
    case 'state':
      return (
        <>
          <State {...props} />
          <NextRelease documentId={document.id} mayWrite={mayWrite} />
        </>
      );
    case 'button':
      return mayWrite && <MainButton {...props} mainRef={mainRef} />;
    case 'items':
      return <Items {...props} />;
  }
}

interface PartProps {
  document: Document;
  session: DocumentSession;
  /** True if readers do not get the current text. */
  isChanged: boolean;
  mayWrite: boolean;
}

/** What readers get, with a menu that changes the status. */
function State({ document, session, isChanged, mayWrite }: PartProps) {
  const { id, status, published } = document;
  const dialogs = useDialogs();
  const publish = usePublishButton(session);
  const move = useStatusMove(id, session);
  const state = (
    <span className={classes.state}>
      <StatusBadge status={status} />
      {isChanged && (
        <span className={classes.changed} data-short={mayWrite}>
          <span>· unpublished changes</span>
        </span>
      )}
    </span>
  );
  if (!mayWrite) return state;
  return (
    <Menu position="bottom-start" portalProps={IN_MAIN}>
      <Menu.Target>
        <UnstyledButton
          data-document-status
          aria-label={`Status: ${statusName(status)}${isChanged ? ' · unpublished changes' : ''}`}
        >
          {state}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown aria-label="Status">
        {MOVES[status].map((one) => (
          <Menu.Item
            key={one.to}
            onClick={() => {
              if (published) dialogs.open(one.to === 'draft' ? 'unpublish' : 'archive');
              else if (one.to === 'published') publish.mutate(undefined);
              else move.mutate(one);
            }}
          >
            {published && one.to === 'draft' ? 'Unpublish' : one.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Publishes, or returns an archived document to draft. */
function MainButton(props: PartProps & { mainRef: Ref<HTMLButtonElement> | undefined }) {
  const { document, session, isChanged, mainRef } = props;
  const { id, status } = document;
  const publish = usePublishButton(session);
  const move = useStatusMove(id, session);
  const main = MAIN_MOVES[status];
  const isShown = main !== undefined || isChanged;
  useEffect(() => {
    if (isShown || !isFocusLost()) return;
    window.document.querySelector<HTMLElement>('[data-document-status]')?.focus();
  }, [isShown]);
  if (!isShown) return null;
  return (
    <Button
      ref={mainRef}
      size="sm"
      loading={publish.isPending || move.isPending}
      onClick={() => {
        if (main && main.to !== 'published') move.mutate(main);
        else publish.mutate(undefined);
      }}
    >
      {main?.name ?? (
        <>
          Publish<span className={classes.wide}>&nbsp;changes</span>
        </>
      )}
    </Button>
  );
}

/** Items of the menu of the document. */
function Items({ document, session, isChanged, mayWrite }: PartProps) {
  const navigate = useNavigate();
  const dialogs = useDialogs();
  const { id, published } = document;
  const hasRules = (usePublishing().data?.rules.length ?? 0) > 0;
  const isPublishable = isChanged || MOVES[document.status].some(({ to }) => to === 'published');
  const openHistory = (search: object) => {
    void navigate({
      to: '/{-$accountId}/documents/$documentId/history',
      params: ((previous: object) => ({ ...previous, documentId: id })) as never,
      search: search as never,
    });
  };
  return (
    <>
      <Menu.Item
        onClick={() => {
          openHistory({ tab: 'publications' });
        }}
      >
        Publications
      </Menu.Item>
      {hasRules && isPublishable && mayWrite && (
        <Menu.Item
          onClick={() => {
            dialogs.open('checks');
          }}
        >
          Publication checks
        </Menu.Item>
      )}
      {isChanged && (
        <Menu.Item
          onClick={() => {
            void session.autosave.save().then(() => {
              openHistory({ from: 'published' });
            });
          }}
        >
          Compare with published
        </Menu.Item>
      )}
      {isChanged && mayWrite && (
        <Menu.Item
          onClick={() => {
            dialogs.open('discard');
          }}
        >
          Discard changes
        </Menu.Item>
      )}
      {mayWrite && <ReleaseItems isArchived={document.status === 'archived'} />}
      {published && mayWrite && (
        <Menu.Item
          onClick={() => {
            dialogs.open('unpublish');
          }}
        >
          Unpublish
        </Menu.Item>
      )}
    </>
  );
}

/** Menu items that publish the document later, or together with others. */
function ReleaseItems({ isArchived }: { isArchived: boolean }) {
  const dialogs = useDialogs();
  return (
    <>
      <Menu.Item
        disabled={isArchived}
        title={isArchived ? 'Return the document to draft first.' : ''}
        onClick={() => {
          dialogs.open('schedule');
        }}
      >
        Schedule…
      </Menu.Item>
      <Menu.Item
        onClick={() => {
          dialogs.open('release');
        }}
      >
        Add to release…
      </Menu.Item>
    </>
  );
}
