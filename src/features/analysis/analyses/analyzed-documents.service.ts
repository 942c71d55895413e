import { Injectable } from '@nestjs/common';
import type { Access } from '../../auth/access/access.js';
import type { AnalysisRequest } from '@document-service/text-analysis/analysis-request';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { DocumentsRepository } from '../../documents/documents.repository.js';
import { DocumentVersionsRepository } from '../../documents/versions/document-versions.repository.js';
import { AccountRulesService, type AccountAnalysis } from '../settings/account-settings.service.js';
import { AnalysisRepository } from './analysis.repository.js';

/** A version of a document and its account's analysis settings. */
interface DocumentToAnalyze {
  account: AccountAnalysis;
  text: Pick<AnalysisRequest, 'accountId' | 'content' | 'format' | 'rules' | 'dismissed'>;
}

/** Reads the documents that jobs analyze. */
@Injectable()
export class AnalyzedDocumentsService {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly versions: DocumentVersionsRepository,
    private readonly analyses: AnalysisRepository,
    private readonly accounts: AccountRulesService,
  ) {}

  /** Reads the input of a job. Throws `not_found`, even for a document in the trash, because its versions cannot be read. */
  async read({
    access,
    documentId,
    number,
  }: {
    access: Access;
    documentId: string;
    number: number;
  }): Promise<DocumentToAnalyze> {
    const { accountId } = access;
    const document = await this.documents.find(access, documentId);
    const version = document && (await this.versions.find({ accountId, id: documentId }, number));
    if (!version) throw notFound('document');
    const account = await this.accounts.forAccount(accountId);
    const dismissed = await this.analyses.dismissed(accountId, documentId);
    const { content } = version;
    return {
      account,
      text: { accountId, content, format: 'markdown', rules: account.rules, dismissed },
    };
  }
}
