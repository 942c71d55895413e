import { Button, Menu } from '@mantine/core';
import { lazy, Suspense, useSyncExternalStore, type Ref } from 'react';
import { AppLink } from '../../components/app-link.js';
import { Icon } from '../../components/icons.js';
import { countOf } from '../../components/numbers.js';
import { useRovingFocus } from '../../components/roving-focus.js';
import { RowMenu } from '../../components/row-menu.js';
import { useAllowance } from '../../components/use-allowance.js';
import { loadAlone } from '../../load-part.js';
import { DocumentActions } from './document-actions.js';
import classes from './document-page.module.css';
import type { DocumentSession, SessionView } from './editor/document-session.js';
import { keyName } from '../../components/key-names.js';
import { isPlainMarkdown, onModeChange, togglePlainMarkdown } from './editor/mode.js';
import { usePanel } from './panel.js';
import { Avatars, type PresenceFrame } from './presence.js';
import { PublishingPart } from './publishing/publishing-part.js';
import { SaveState } from './save-state.js';
import { StatusMenu } from './status-menu.js';

interface DocumentBarProps {
  session: DocumentSession;
  view: SessionView;
  /** Other people in the document. */
  frame: PresenceFrame | undefined;
  /** Action of the main button, if the status has one. */
  mainRef: Ref<HTMLButtonElement>;
  /** True while the template of a new document loads. */
  isLoading: boolean;
  onCreate: () => void;
  onDeleted: () => void;
}

const DocumentCrumbs = lazy(() => loadAlone(() => import('../folders/document-crumbs.js')));

function AllDocuments() {
  return (
    <AppLink to="/{-$accountId}/documents" className={classes.back}>
      <Icon name="left" />
      <span>Documents</span>
    </AppLink>
  );
}

/** Shows where the document is, its status, whether it is saved, and its actions. */
export function DocumentBar(props: DocumentBarProps) {
  const { session, view, frame, mainRef, isLoading, onCreate, onDeleted } = props;
  const { document, presence, documentId } = view;
  const isHere = document !== undefined && presence === 'here';
  const panels = documentId === undefined ? NEW_PANELS : PANELS;
  const menuItems = (
    <>
      <PanelItems panels={panels} />
      <MarkdownItem />
      {isHere && !view.suggesting && (
        <Menu.Item onClick={() => void session.suggest()}>Suggest changes</Menu.Item>
      )}
    </>
  );
  return (
    <div className={classes.bar}>
      <nav aria-label="Breadcrumb">
        {document?.collectionId == null ? (
          <AllDocuments />
        ) : (
          <Suspense fallback={<AllDocuments />}>
            <DocumentCrumbs folderId={document.collectionId} fallback={<AllDocuments />} />
          </Suspense>
        )}
      </nav>
      {isHere && (
        <PublishingPart part="state" session={session}>
          <StatusMenu document={document} session={session} />
        </PublishingPart>
      )}
      <SavedOrReadOnly session={session} view={view} />
      <span className={classes.space} />
      <Avatars frame={frame} />
      <ConflictsButton view={view} />
      {presence === 'here' && <PanelButtons panels={panels} />}
      {documentId === undefined ? (
        <>
          <CreateButton view={view} disabled={isLoading} onCreate={onCreate} />
          <RowMenu name="this document">{menuItems}</RowMenu>
        </>
      ) : (
        isHere && (
          <DocumentActions
            document={document}
            session={session}
            mainRef={mainRef}
            menuItems={menuItems}
            onDeleted={onDeleted}
          />
        )
      )}
    </div>
  );
}

function SavedOrReadOnly({ session, view }: Pick<DocumentBarProps, 'session' | 'view'>) {
  const readOnly = useAllowance('documents:write').disabled === true;
  if (view.suggesting) return <span className={classes.saveState}>Suggesting</span>;
  if (readOnly && !view.isUnsaved) {
    return (
      <>
        <span className={classes.saveState}>Read only</span>
        {/* On phones, it is in the menu only. */}
        <span className={classes.panels}>
          <Button size="xs" variant="default" onClick={() => void session.suggest()}>
            Suggest changes
          </Button>
        </span>
      </>
    );
  }
  return <SaveState view={view} onSave={() => void session.autosave.save()} />;
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
      size="sm"
      loading={view.state.status === 'Saving…' && view.isCreating}
      disabled={disabled}
      onClick={onCreate}
      {...allowance}
    >
      Create document
    </Button>
  );
}

/** Opens the conflicts if they are not next to the text. */
function ConflictsButton({ view }: { view: SessionView }) {
  const [panel, open] = usePanel();
  const { conflicts, titleConflict } = view.state;
  const count = conflicts.length + (titleConflict ? 1 : 0);
  if (count === 0) return null;
  return (
    <Button
      size="xs"
      color="red"
      variant="light"
      className={classes.conflicts}
      data-covered={panel === 'details' || undefined}
      aria-expanded={panel === 'conflicts'}
      onClick={() => {
        open(panel === 'conflicts' ? undefined : 'conflicts');
      }}
    >
      {countOf(count, 'conflict')}
    </Button>
  );
}

const NEW_PANELS = [['details', 'Details']] as const;
const PANELS = [['check', 'Check'], ...NEW_PANELS] as const;

interface PanelsProps {
  panels: readonly (readonly [string, string])[];
}

/** On phones, the panels are items of the menu. */
function PanelItems({ panels }: PanelsProps) {
  const [, open] = usePanel();
  return panels.map(([value, name]) => (
    <Menu.Item
      key={value}
      className={classes.onPhone}
      onClick={() => {
        open(value);
      }}
    >
      {name}
    </Menu.Item>
  ));
}

/** The open panel next to the text. */
function PanelButtons({ panels }: PanelsProps) {
  const [panel, open] = usePanel();
  const roving = useRovingFocus<HTMLDivElement>({ start: '[aria-expanded=true]' });
  return (
    <div className={classes.panels} role="toolbar" aria-label="Panel" {...roving}>
      {panels.map(([value, name]) => (
        <Button
          key={value}
          size="xs"
          variant={panel === value ? 'light' : 'subtle'}
          color={panel === value ? undefined : 'gray'}
          aria-expanded={panel === value}
          onClick={() => {
            open(panel === value ? undefined : value);
          }}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}

function MarkdownItem() {
  const isPlain = useSyncExternalStore(onModeChange, isPlainMarkdown);
  return (
    <Menu.Item onClick={togglePlainMarkdown} rightSection={<kbd>{keyName('Ctrl+Shift+M')}</kbd>}>
      {isPlain ? 'Show finished text' : 'Show plain Markdown'}
    </Menu.Item>
  );
}
