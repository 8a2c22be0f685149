package io.volume4j.examples.agent.http;

/**
 * How many requests a client may send. Renewals of leases do not count, and events of a watch are no requests.
 *
 * @param perSecond requests a second in the long run, more than 0
 * @param burst requests at once after a rest, at least 1
 */
public record RequestRate(double perSecond, int burst) {
    public RequestRate {
        if (!(perSecond > 0) || burst < 1) {
            throw new IllegalArgumentException(
                    "a client needs more than 0 requests a second and a burst of at least 1, not " + perSecond + " and "
                            + burst);
        }
    }

    /** 50 requests a second, the default of Kubernetes' own clients, with a larger burst of 300. */
    public static RequestRate standard() {
        return new RequestRate(50, 300);
    }
}
