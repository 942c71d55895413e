import { Button, Group, Textarea } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import {
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { Page } from '../../components/page.js';
import { useAllowance } from '../../components/use-allowance.js';
import { loadPart } from '../../load-part.js';
import { useSearchState } from '../../search-state.js';
import { DocumentActions } from './document-actions.js';
import classes from './document-page.module.css';
import contentClasses from './editor/content-editor.module.css';
import type { Template } from './editor/creation.js';
import type { DocumentSession, SessionView } from './editor/document-session.js';
import type { DocumentSessions } from './editor/document-sessions.js';
import { KEY_NAMES } from './editor/live/keys.js';
import { isPlainMarkdown, onModeChange, togglePlainMarkdown } from './editor/live/mode.js';
import { UNTITLED } from './editor/texts.js';
import { MissingNotice } from './missing-notice.js';
import { NewDocumentChoices, useChosenTemplate } from './new-document-choices.js';
import { SaveState } from './save-state.js';
import { StatusMenu } from './status-menu.js';
import { TemplateFields } from './template-fields.js';

const DetailsPanel = lazy(() => loadPart(() => import('./details-panel.js')));
const AnalysisPanel = lazy(() => loadPart(() => import('./analysis/analysis-panel.js')));
const SideMargin = lazy(() => loadPart(() => import('./margin/side-margin.js')));

/** How often an open page looks for changes of others, in ms. */
const SEE_OTHERS_EVERY = 15_000;

interface DocumentEditorProps {
  session: DocumentSession;
  sessions: DocumentSessions;
}

/** A document that is being read and written. */
export function DocumentEditor({ session, sessions }: DocumentEditorProps) {
  const view = useSyncExternalStore(session.subscribe, session.snapshot);
  const { document, texts, presence } = view;
  const [{ panel }] = useSearchState();
  const mainButton = useRef<HTMLButtonElement>(null);
  // The choices of a new document stay while it is open.
  const [beganNew] = useState(view.documentId === undefined);
  const isNew = view.documentId === undefined;
  const chosen = useChosenTemplate(session, isNew);
  const save = () => void session.autosave.save();
  const create = async () => {
    await session.autosave.create();
    // The button that had the focus is gone.
    if (session.documentId !== undefined && isFocusLost()) session.editor.focus();
  };
  useOpenSession(session);
  useChangesOfOthers(session, view);
  useHotkeys(
    [
      ['mod+S', isNew ? () => void create() : save],
      [
        'mod+Enter',
        () => {
          if (isNew) return;
          save();
          mainButton.current?.focus();
        },
      ],
    ],
    [],
    true,
  );
  const parts = { session, view, template: chosen.template };
  const named = isNew ? 'New document' : UNTITLED;
  return (
    <Page
      title={texts.title.trim() === '' ? named : texts.title}
      hiddenTitle
      sentence={<Place session={session} view={view} onSave={save} />}
      actions={
        isNew ? (
          <CreateButton view={view} disabled={chosen.isLoading} onCreate={() => void create()} />
        ) : (
          document &&
          presence === 'here' && (
            <DocumentActions
              document={document}
              session={session}
              mainRef={mainButton}
              onDeleted={() => {
                sessions.drop(session);
              }}
            />
          )
        )
      }
    >
      {presence !== 'here' && <MissingNotice session={session} view={view} />}
      {chosen.problem}
      <div className={classes.columns} data-panel={panel !== undefined || undefined}>
        <div className={classes.main}>
          {beganNew && <NewDocumentChoices {...parts} />}
          <TitleField {...parts} autoFocus={beganNew} />
          <Body {...parts} isLoading={chosen.isLoading} />
        </div>
        <Suspense fallback={null}>
          <SidePanel {...parts} panel={panel} />
        </Suspense>
      </div>
    </Page>
  );
}

interface PartProps {
  session: DocumentSession;
  view: SessionView;
  template: Template | undefined;
}

interface PlaceProps {
  session: DocumentSession;
  view: SessionView;
  onSave: () => void;
}

/** Where the document is, its status, and whether it is saved. */
function Place({ session, view, onSave }: PlaceProps) {
  const readOnly = useAllowance('documents:write').disabled === true;
  const { document, presence } = view;
  return (
    <>
      <AppLink to="/{-$accountId}/documents">Documents</AppLink>{' '}
      {document && presence === 'here' && <StatusMenu document={document} session={session} />}{' '}
      {readOnly && !view.isUnsaved ? 'Read only' : <SaveState view={view} onSave={onSave} />}
    </>
  );
}

interface CreateButtonProps {
  view: SessionView;
  disabled: boolean;
  onCreate: () => void;
}

function CreateButton({ view, disabled, onCreate }: CreateButtonProps) {
  const allowance = useAllowance('documents:write');
  return (
    <Button
      loading={view.state.status === 'Saving…' && view.isCreating}
      disabled={disabled}
      onClick={onCreate}
      {...allowance}
    >
      Create
    </Button>
  );
}

function TitleField({ session, view, template, autoFocus }: PartProps & { autoFocus: boolean }) {
  const readOnly = useAllowance('documents:write').disabled === true;
  return (
    <Textarea
      aria-label="Title"
      classNames={{ root: classes.titleField, input: classes.title }}
      variant="unstyled"
      autosize
      dir="auto"
      value={view.texts.title}
      placeholder={template?.title ?? UNTITLED}
      readOnly={readOnly}
      maxLength={500}
      autoFocus={autoFocus}
      error={view.state.failure?.problemOf('title')}
      onChange={({ currentTarget }) => {
        session.edit({ title: currentTarget.value.replaceAll(/\s*[\r\n]+\s*/g, ' ') });
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        if (!event.ctrlKey && !event.metaKey) session.editor.focus();
      }}
    />
  );
}

/** The text; until a document is made from a template, the fields of that. */
function Body({ session, view, template, isLoading }: PartProps & { isLoading: boolean }) {
  const [{ panel }] = useSearchState();
  const readOnly = useAllowance('documents:write').disabled === true;
  if (isLoading) return null;
  if (template) {
    return (
      <TemplateFields
        template={template}
        values={session.values}
        onChange={(values) => {
          session.setValues(values);
        }}
      />
    );
  }
  const panels = view.documentId === undefined ? NEW_PANELS : PANELS;
  return (
    <>
      <ViewBar panel={panel} panels={panels} />
      <SessionEditor session={session} readOnly={readOnly} />
    </>
  );
}

function SidePanel({ session, view, panel }: PartProps & { panel: string | undefined }) {
  const { document, picked } = view;
  if (panel === 'details') return <DetailsPanel session={session} view={view} />;
  if (!document) return null;
  if (panel === 'analysis') {
    return <AnalysisPanel document={document} session={session} picked={picked} />;
  }
  return <SideMargin document={document} session={session} view={view} />;
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function useOpenSession(session: DocumentSession): void {
  useEffect(() => {
    session.enter();
    return () => {
      session.leave();
    };
  }, [session]);
}

/** Reads the document now and then: somebody else may have changed, deleted or restored it. */
function useChangesOfOthers(session: DocumentSession, view: SessionView): void {
  const { id: accountId, api } = useAccount();
  const { documentId, document, presence } = view;
  const newest = useQuery({
    queryKey: [accountId, 'documents', 'one', documentId],
    queryFn: () =>
      dataOf(api.GET('/v1/documents/{id}', { params: { path: { id: documentId ?? '' } } })),
    enabled: documentId !== undefined,
    // A document in the trash is known, and yet not there.
    initialData: presence === 'here' ? document : undefined,
    gcTime: 0,
    refetchInterval: ({ state: { error } }) =>
      error && asFailure(error).status === 404
        ? SEE_OTHERS_EVERY
        : every(SEE_OTHERS_EVERY)({ state: { error } } as never),
  });
  const isMissing = newest.error !== null && asFailure(newest.error).status === 404;
  useEffect(() => {
    if (isMissing) void session.findMissing();
    else if (newest.data) session.hear(newest.data);
  }, [isMissing, newest.data, newest.dataUpdatedAt, newest.errorUpdatedAt, session]);
}

/** Shows the editor of the session, which stays the same as long as the session. */
function SessionEditor({ session, readOnly }: { session: DocumentSession; readOnly: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { element } = session;
    element.className = contentClasses.host ?? '';
    element.dataset['size'] = 'text';
    place.current?.append(element);
    return () => {
      element.remove();
    };
  }, [session]);
  useLayoutEffect(() => {
    session.editor.setReadOnly(readOnly);
  }, [readOnly, session]);
  return <div ref={place} className={classes.place} />;
}

const NEW_PANELS = [['details', 'Details']] as const;

const PANELS = [...NEW_PANELS, ['analysis', 'Analysis'], ['suggestions', 'Suggestions']] as const;

interface ViewBarProps {
  panel: string | undefined;
  panels: readonly (readonly [string, string])[];
}

/** How the text is shown, and which panel beside it is open. */
function ViewBar({ panel, panels }: ViewBarProps) {
  const [, change] = useSearchState();
  const isPlain = useSyncExternalStore(onModeChange, isPlainMarkdown);
  return (
    <Group justify="space-between" gap="xs">
      <Button
        size="xs"
        variant={isPlain ? 'light' : 'subtle'}
        aria-pressed={isPlain}
        title={`Show plain Markdown (${KEY_NAMES.plain})`}
        onClick={togglePlainMarkdown}
      >
        Markdown
      </Button>
      <Group gap={4} role="group" aria-label="Panel">
        {panels.map(([value, name]) => (
          <Button
            key={value}
            size="xs"
            variant={panel === value ? 'light' : 'subtle'}
            aria-expanded={panel === value}
            onClick={() => {
              change({ panel: panel === value ? undefined : value });
            }}
          >
            {name}
          </Button>
        ))}
      </Group>
    </Group>
  );
}
