package ledger

import java.math.BigDecimal
import java.util.Currency

/** Money in one currency. */
data class Amount(val decimal: BigDecimal, val currency: Currency) {
    val minor: Long
        get() = decimal.movePointRight(currency.defaultFractionDigits).longValueExact()

    operator fun plus(other: Amount): Amount {
        require(currency == other.currency) { "cannot add ${other.currency} to $currency" }
        return copy(decimal = decimal + other.decimal)
    }

    operator fun unaryMinus(): Amount = copy(decimal = decimal.negate())

    override fun toString(): String = "$decimal ${currency.currencyCode}"

    companion object {
        val ZERO = Amount(BigDecimal.ZERO, Currency.getInstance("EUR"))
    }
}
