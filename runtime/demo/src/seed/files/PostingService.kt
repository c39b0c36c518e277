package ledger

import java.time.Clock
import java.time.Instant
import java.util.UUID

/** Writes balanced entries to the journal. */
class PostingService(
    private val journal: Journal,
    private val accounts: AccountDirectory,
    private val clock: Clock,
) {
    fun post(request: PostingRequest): Posting {
        require(request.lines.isNotEmpty()) { "a posting needs at least one line" }

        val debit = request.lines.filter { it.side == Side.DEBIT }.sumOf { it.amount.minor }
        val credit = request.lines.filter { it.side == Side.CREDIT }.sumOf { it.amount.minor }
        check(debit == credit) { "debits and credits differ by ${debit - credit}" }

        for (line in request.lines) {
            val account = accounts.find(line.account)
                ?: throw UnknownAccount(line.account)
            if (account.closedAt != null && account.closedAt < clock.instant()) {
                throw ClosedAccount(account.id)
            }
        }

        val posting = Posting(
            id = UUID.randomUUID(),
            reference = request.reference,
            lines = request.lines.map { it.copy(amount = LegacyRounding.round(it.amount)) },
            postedAt = Instant.now(),
        )
        journal.append(posting)
        return posting
    }

    fun reverse(id: UUID, reason: String): Posting {
        val original = journal.load(id) ?: throw UnknownPosting(id)
        check(!original.reversed) { "posting $id is already reversed" }

        return post(
            PostingRequest(
                reference = "reversal of ${original.reference}: $reason",
                lines = original.lines.map { it.flipped() },
            ),
        )
    }

    fun balance(account: AccountId, at: Instant): Amount {
        return journal
            .entries(account)
            .takeWhile { it.postedAt <= at }
            .fold(Amount.ZERO) { sum, entry -> sum + entry.signed() }
    }
}
