import { Button, Menu, Text } from '@mantine/core';
import { lazy, Suspense, useMemo, useRef, useState, type ReactNode } from 'react';
import { useAccount } from '../../../api/session.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { countOf } from '../../../components/numbers.js';
import { RowMenu } from '../../../components/row-menu.js';
import { useDialogs } from '../../../components/use-dialogs.js';
import { loadPart } from '../../../load-part.js';
import type { Document } from '../document-types.js';
import type { DocumentSession, SessionView } from '../editor/document-session.js';
import { Margin, type MarginNote } from '../margin/margin.js';
import classes from '../margin/margin.module.css';
import { usePlaces } from '../margin/use-places.js';
import { HeadingList, useHeadings } from '../outline.js';
import { Panel } from '../panel.js';
import type { MarkPlace } from '../editor/marks.js';
import { acceptReplacements, type AcceptedReplacement } from './accept.js';
import { IssueCard, type ShownIssue } from './issue-card.js';
import { proposalNotes, ProposalSections } from './proposal-sections.js';
import { Scores } from './scores.js';
import { SuggestionSet } from './suggestion-set.js';
import { useCheck } from './use-check.js';
import { useProposals } from './use-proposals.js';
import { useStoredIssues } from './use-stored-issues.js';
import { useSuggestionMarks } from './use-suggestion-marks.js';
import { useSuggestions, type Suggestion } from './use-suggestions.js';

const NO_SUGGESTIONS: readonly Suggestion[] = [];

const GoalsDialog = lazy(() => loadPart(() => import('./goals-dialog.js')));

interface CheckPanelProps {
  document: Document;
  session: DocumentSession;
  view: SessionView;
  isBeside: boolean;
}

/** What to correct in the text, next to it: issues found while typing, and generated suggestions. */
export function CheckPanel(props: CheckPanelProps) {
  const { may } = useAccount();
  return may('documents:analyze') ? <LiveCheck {...props} /> : <StoredCheck {...props} />;
}

function LiveCheck(props: CheckPanelProps) {
  const { document, session, view, isBeside } = props;
  const { may } = useAccount();
  const dialogs = useDialogs();
  const bar = useRef<HTMLDivElement>(null);
  const suggestions = useSuggestions(document.id, session);
  const { enhancement, open, reject, suggest, hasModel } = suggestions;
  const proposals = useProposals(session, document.id);
  useSuggestionMarks(session, open, proposals.marked);
  const suggested = useMemo(
    () => new Set(enhancement?.suggestions.filter(isOpenOrRejected).map(({ id }) => id)),
    [enhancement],
  );
  const check = useCheck({ session, documentId: document.id, suggested });
  const { ignore, addWord, turnOff } = check;
  const places = useOriginals(session);
  const mayWrite = may('documents:write');
  const mayDecide = mayWrite && view.suggesting === undefined;
  // The ID of an issue differs from the one of its suggestion if its sentence has changed since.
  const placesOfSuggestions = new Set(open.map(({ id }) => positionOf(places.get(id))));
  const notes = [
    ...check.issues
      .filter(({ key }) => !placesOfSuggestions.has(positionOf(places.get(key))))
      .map((issue) => ({
        id: issue.key,
        issue,
        kind: 'issue' as const,
        enhancementId: undefined,
        onIgnore: () => {
          ignore(issue);
        },
      })),
    ...open.map((suggestion) => ({
      id: suggestion.id,
      issue: suggestion,
      kind: 'suggestion' as const,
      enhancementId: enhancement?.id,
      onIgnore: () => {
        if (enhancement) reject.mutate({ id: enhancement.id, suggestionIds: [suggestion.id] });
      },
    })),
  ].filter(({ id }) => places.has(id));
  const accept = (chosen: readonly AcceptedReplacement[]) => {
    acceptReplacements(session, chosen);
    // The button goes with the last replacement, and Ctrl+Z belongs to the text.
    if (isBeside) session.editor.focus();
    else bar.current?.closest('aside')?.focus();
  };
  const bestOf = (chosen: readonly (typeof notes)[number][]) =>
    chosen.flatMap(({ id, issue: { replacements }, enhancementId }) => {
      const [best] = replacements;
      return best ? [{ id, value: best.value, enhancementId }] : [];
    });
  const safe = notes.filter(({ issue }) => issue.safe);
  const cards = notes.map(({ id, issue, kind, enhancementId, onIgnore }): MarginNote => ({
    id,
    render: (card) => (
      <IssueCard
        {...card}
        kind={kind}
        issue={issue}
        onAccept={
          (kind === 'issue' ? mayWrite : mayDecide)
            ? (value) => {
                acceptReplacements(session, [{ id, value, enhancementId }]);
              }
            : undefined
        }
        onIgnore={onIgnore}
        onAddWord={
          addWord && isWord(issue)
            ? () => {
                addWord(issue.original);
              }
            : undefined
        }
        onTurnOff={
          turnOff && isRule(issue)
            ? () => {
                turnOff(issue.ruleId);
              }
            : undefined
        }
      />
    ),
  }));
  const proposed = { session, proposals, places, mayDecide };
  const tools = (
    <div ref={bar} className={classes.tools}>
      <Count count={notes.length} isChecking={check.isChecking} />
      {mayWrite && safe.length > 0 && (
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            accept(bestOf(safe));
          }}
        >
          Apply {countOf(safe.length, 'safe fix', 'safe fixes')}
        </Button>
      )}
      <RowMenu name="the check">
        <Menu.Item
          onClick={() => {
            dialogs.open('goals');
          }}
        >
          Get suggestions
        </Menu.Item>
      </RowMenu>
      {check.problem !== undefined && (
        <p className={classes.problem} role="status">
          {check.problem}
        </p>
      )}
    </div>
  );
  return (
    <Panel title="Check" isLong={isBeside} tools={tools}>
      <SuggestionSet
        session={session}
        suggestions={suggestions}
        left={notes.filter(({ kind }) => kind === 'suggestion').length}
        onAcceptAll={() => {
          accept(bestOf(notes.filter(({ kind }) => kind === 'suggestion')));
        }}
      />
      <ProposalSections {...proposed} isBeside={isBeside} picked={view.picked} />
      <Margin {...props} notes={[...cards, ...proposalNotes(proposed)]} />
      {check.unchecked > 0 && <Unchecked onCheckAll={check.checkAll} />}
      <Folds {...props} />
      <Suspense fallback={null}>
        {dialogs.dialog === 'goals' && (
          <GoalsDialog hasModel={hasModel} suggest={suggest} onClose={dialogs.close} />
        )}
      </Suspense>
    </Panel>
  );
}

/** Issues of the newest stored analysis, without actions. */
function StoredCheck(props: CheckPanelProps) {
  const { document, session, view, isBeside } = props;
  const proposals = useProposals(session, document.id);
  useSuggestionMarks(session, NO_SUGGESTIONS, proposals.marked);
  const { analysis, issues } = useStoredIssues(session, document);
  const places = useOriginals(session);
  const shown = issues.filter(({ key }) => places.has(key));
  const proposed = { session, proposals, places, mayDecide: false };
  const cards = shown.map((issue): MarginNote => ({
    id: issue.key,
    render: (card) => (
      <IssueCard
        {...card}
        kind="issue"
        issue={issue}
        onAccept={undefined}
        onIgnore={undefined}
        onAddWord={undefined}
        onTurnOff={undefined}
      />
    ),
  }));
  const tools = (
    <div className={classes.tools}>
      {analysis.data === null ? (
        <p className={classes.count}>Nobody has analyzed this text yet.</p>
      ) : (
        <Count count={shown.length} isChecking={analysis.isPending} />
      )}
    </div>
  );
  return (
    <Panel title="Check" isLong={isBeside} tools={tools}>
      {analysis.error && (
        <FailureAlert error={analysis.error} onRetry={() => void analysis.refetch()} />
      )}
      <ProposalSections {...proposed} isBeside={isBeside} picked={view.picked} />
      <Margin {...props} notes={[...cards, ...proposalNotes(proposed)]} />
      <Folds {...props} />
    </Panel>
  );
}

/** Returns the places of the marked passages that still have their original text, by ID. */
function useOriginals(session: DocumentSession): ReadonlyMap<string, MarkPlace> {
  const places = usePlaces(session);
  return useMemo(
    () => new Map(places.filter(({ isOriginal }) => isOriginal).map((place) => [place.id, place])),
    [places],
  );
}

function positionOf(place: MarkPlace | undefined): string | undefined {
  return place && `${String(place.from)} ${String(place.to)}`;
}

function isOpenOrRejected({ status }: Suggestion): boolean {
  return status === 'open' || status === 'rejected';
}

function isWord({ category }: ShownIssue): boolean {
  return category === 'spelling';
}

/** Style rules are edited in the settings instead. */
function isRule({ ruleId }: ShownIssue): boolean {
  return !ruleId.startsWith('house-style.');
}

/** Screen readers hear the number of issues when it changes, but not each check. */
function Count({ count, isChecking }: { count: number; isChecking: boolean }) {
  const sentence = count === 0 ? (isChecking ? '' : 'No issues') : countOf(count, 'issue');
  return (
    <p className={classes.count}>
      <span role="status">{sentence}</span>
      {isChecking && <span aria-hidden="true">{count === 0 ? 'Checking…' : ' · Checking…'}</span>}
    </p>
  );
}

function Unchecked({ onCheckAll }: { onCheckAll: () => void }) {
  return (
    <div className={classes.more}>
      <Text size="sm">This text is long. Only the part around you was checked.</Text>
      <Button size="compact-sm" variant="default" mt={6} onClick={onCheckAll}>
        Check the whole text
      </Button>
    </div>
  );
}

function Folds({ document, session, isBeside }: CheckPanelProps) {
  return (
    <div className={classes.folds} data-beside={isBeside || undefined}>
      <div className={classes.foldList}>
        <Fold title="Scores and readability">
          <Scores document={document} session={session} />
        </Fold>
        <Fold title="Outline">
          <Headings session={session} />
        </Fold>
      </div>
    </div>
  );
}

function Headings({ session: { editor } }: { session: DocumentSession }) {
  const headings = useHeadings(editor);
  if (headings.length === 0) return <Text size="sm">No headings</Text>;
  return <HeadingList editor={editor} headings={headings} />;
}

/** A section that loads its content when it is opened. */
function Fold({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={classes.fold}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary>{title}</summary>
      {isOpen && <div className={classes.foldBody}>{children}</div>}
    </details>
  );
}
