import { Injectable } from '@nestjs/common';
import type { Person } from '../../../access/auth/person.js';
import { FirstRunLinks } from '../first-run-links.js';
import { InvitationLinks } from '../invitation-links.js';
import type { LinkAnswers, LinkUser } from '../link-answers.js';
import { OneTimeLinkRepository, type OneTimeLink } from './one-time-links.repository.js';
import { PasswordLinks } from '../password-links.js';
import { SecondFactorsService } from '../sign-in/second-factors.service.js';

/** Does what a link is for. */
@Injectable()
export class LinkUseService {
  constructor(
    private readonly links: OneTimeLinkRepository,
    private readonly firstRuns: FirstRunLinks,
    private readonly invitations: InvitationLinks,
    private readonly passwords: PasswordLinks,
    private readonly secondFactors: SecondFactorsService,
  ) {}

  /** Whether it is for somebody who is a user of the dashboard already. */
  async isForUser(link: OneTimeLink): Promise<boolean> {
    return link.purpose === 'invitation'
      ? this.invitations.isForUser(link)
      : link.purpose === 'password';
  }

  /**
   * Uses the link; the user whom it is for, and whether it shows enough to sign him in. Throws `not_found` for a link that
   * is no more good, `bad_request` for what is missing, and what signing in throws.
   */
  async use(answers: LinkAnswers, by: LinkUser): Promise<{ user: Person; signsIn: boolean }> {
    const link = await this.links.find(answers.token);
    switch (link.purpose) {
      case 'first-run':
        return { user: await this.firstRuns.use(link, answers, by), signsIn: true };
      case 'invitation':
        return { user: await this.invitations.use(link, answers, by), signsIn: true };
      case 'password': {
        const user = await this.passwords.use(link, answers, by);
        // The link stands for the password, and shows nothing of the second factor.
        return { user, signsIn: !(await this.secondFactors.isOn(user.id)) };
      }
    }
  }
}
