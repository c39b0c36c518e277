package ledger

import java.math.RoundingMode

/** Rounds the way the old mainframe did. Kept until every book is migrated. */
@Deprecated("amounts carry minor units and need no rounding")
object LegacyRounding {
    fun round(amount: Amount): Amount =
        Amount(amount.decimal.setScale(2, RoundingMode.HALF_EVEN), amount.currency)
}
