package ledger

import java.time.Duration
import kotlin.random.Random

/**
 * How often and how patiently a posting is tried again.
 *
 * Only failures the journal marks as transient are retried: a posting that was
 * refused for a reason will be refused again.
 */
data class RetryPolicy(
    val attempts: Int = 4,
    val firstDelay: Duration = Duration.ofMillis(50),
    val factor: Double = 2.0,
    val jitter: Double = 0.25,
) {
    init {
        require(attempts in 1..10) { "attempts must be between 1 and 10" }
        require(jitter in 0.0..1.0) { "jitter must be between 0 and 1" }
    }

    fun delayBefore(attempt: Int): Duration {
        val base = firstDelay.toMillis() * Math.pow(factor, (attempt - 1).toDouble())
        val spread = base * jitter * (Random.nextDouble() * 2 - 1)
        return Duration.ofMillis((base + spread).toLong())
    }
}
