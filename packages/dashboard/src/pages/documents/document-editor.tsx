import { Textarea } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import {
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { usePageTitle } from '../../components/page.js';
import { isFocusLost } from '../../components/focus-lost.js';
import { useAllowance } from '../../components/use-allowance.js';
import { loadPart } from '../../load-part.js';
import { DocumentBar } from './document-bar.js';
import classes from './document-page.module.css';
import contentClasses from './editor/content-editor.module.css';
import type { Template } from './editor/creation.js';
import type { DocumentSession, SessionView } from './editor/document-session.js';
import type { DocumentSessions } from './editor/document-sessions.js';
import { UNTITLED } from './editor/texts.js';
import { Outline } from './outline.js';
import { usePanel } from './panel.js';
import { useEditingPresence } from './presence.js';
import { useChosenTemplate } from './use-chosen-template.js';
import { useChangesOfOthers } from './use-changes-of-others.js';

const NewDocumentChoices = lazy(() => loadPart(() => import('./new-document-choices.js')));
const TemplateFields = lazy(() =>
  loadPart(async () => {
    const { TemplateFields: Fields } = await import('./template-fields.js');
    return { default: Fields };
  }),
);
const MissingNotice = lazy(() =>
  loadPart(async () => ({ default: (await import('./missing-notice.js')).MissingNotice })),
);
const DetailsPanel = lazy(() => loadPart(() => import('./details-panel.js')));
const SuggestBar = lazy(() => loadPart(() => import('./suggest-bar.js')));
const SideMargin = lazy(() => loadPart(() => import('./margin/side-margin.js')));

interface DocumentEditorProps {
  session: DocumentSession;
  sessions: DocumentSessions;
}

/** A document that is being read or edited. */
export function DocumentEditor({ session, sessions }: DocumentEditorProps) {
  const view = useSyncExternalStore(session.subscribe, session.snapshot);
  const { texts, presence } = view;
  const mainButton = useRef<HTMLButtonElement>(null);
  // Keeps the choices of a new document while it is open.
  const [beganNew] = useState(view.documentId === undefined);
  const isNew = view.documentId === undefined;
  const chosen = useChosenTemplate(session, isNew);
  const title = texts.title.trim() === '' ? (isNew ? 'New document' : UNTITLED) : texts.title;
  const create = async () => {
    await session.autosave.create();
    // The focused button was removed.
    if (session.documentId !== undefined && isFocusLost()) session.editor.focus();
  };
  usePageTitle(title);
  useOpenSession(session);
  const [panel, openPanel] = usePanel();
  const frame = useChangesOfOthers(session, view.documentId);
  useEditingPresence(view, frame);
  useHotkeys(
    [
      ['mod+S', () => void (isNew ? create() : session.autosave.save())],
      [
        'mod+Enter',
        () => {
          if (isNew) return;
          void session.autosave.save();
          mainButton.current?.focus();
        },
      ],
      [
        'F7',
        () => {
          if (!isNew && panel !== 'check') openPanel('check');
        },
      ],
    ],
    [],
    true,
  );
  const parts = { session, view, template: chosen.template };
  return (
    <div className={classes.page}>
      <h1 className="visually-hidden">{title}</h1>
      <DocumentBar
        session={session}
        view={view}
        frame={frame}
        mainRef={mainButton}
        isLoading={chosen.isLoading}
        onCreate={() => void create()}
        onDeleted={() => {
          sessions.drop(session);
        }}
      />
      <div role="status" className="visually-hidden">
        {view.announcement}
      </div>
      <div className={classes.columns}>
        <Outline editor={session.editor} />
        <div className={classes.main}>
          {presence !== 'here' && (
            <Suspense fallback={null}>
              <MissingNotice session={session} view={view} />
            </Suspense>
          )}
          {view.suggesting && (
            <Suspense fallback={null}>
              <SuggestBar session={session} view={view} />
            </Suspense>
          )}
          {chosen.problem}
          {beganNew && (
            <div className={classes.choices}>
              <Suspense fallback={null}>
                <NewDocumentChoices {...parts} />
              </Suspense>
            </div>
          )}
          <TitleField {...parts} autoFocus={beganNew} />
          <Suspense fallback={null}>
            <Body {...parts} isLoading={chosen.isLoading} />
          </Suspense>
        </div>
        <Suspense fallback={null}>
          <Side session={session} view={view} />
        </Suspense>
      </div>
    </div>
  );
}

interface PartProps {
  session: DocumentSession;
  view: SessionView;
  template: Template | undefined;
}

function TitleField({ session, view, template, autoFocus }: PartProps & { autoFocus: boolean }) {
  const readOnly = useReadOnly(view);
  return (
    <Textarea
      aria-label="Title"
      classNames={{ input: classes.title }}
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

/** The text, or the fields of the template until the document is created. */
function Body({ session, view, template, isLoading }: PartProps & { isLoading: boolean }) {
  const readOnly = useReadOnly(view);
  if (isLoading) return null;
  if (!template) return <SessionEditor session={session} readOnly={readOnly} />;
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

/** The panel or margin next to the text. */
function Side({ session, view }: Omit<PartProps, 'template'>) {
  const [panel, open] = usePanel();
  const { document } = view;
  const { conflicts, titleConflict } = view.state;
  const hasConflicts = conflicts.length > 0 || titleConflict !== undefined;
  // The next conflict must not cover the text unasked.
  useEffect(() => {
    if (panel === 'conflicts' && !hasConflicts) open(undefined, { replace: true });
  }, [open, hasConflicts, panel]);
  if (panel === 'details') return <DetailsPanel session={session} view={view} />;
  if (!document) return null;
  if (panel !== 'check' && !hasConflicts) return null;
  return <SideMargin document={document} session={session} view={view} />;
}

function useOpenSession(session: DocumentSession): void {
  useEffect(() => {
    session.enter();
    return () => {
      session.leave();
    };
  }, [session]);
}

/** Viewers can only write suggestions. */
function useReadOnly({ suggesting }: SessionView): boolean {
  return useAllowance('documents:write').disabled === true && !suggesting;
}

/** Shows the editor of the session, which is the same for the whole session. */
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
