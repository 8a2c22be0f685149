package io.volume4j.inmemory.cluster;

import io.volume4j.inmemory.fault.Words;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Requests to come that a cluster will refuse. Built by {@link #on} and the methods that follow; immutable.
 *
 * @param verb null for any
 * @param kind null for any
 * @param object null for any
 * @param nth the first matching request to be refused, from 1
 * @param times how many in a row
 * @since 0.1.0
 */
public record ClusterFault(
        @Nullable ClusterVerb verb,
        @Nullable Kind kind,
        @Nullable ObjectKey object,
        int nth,
        int times,
        Rejection rejection) {
    /** As {@link #times()}: until it is healed. */
    public static final int ALWAYS = Integer.MAX_VALUE;

    public ClusterFault {
        Objects.requireNonNull(rejection, "rejection");
        if (nth < 1 || times < 1) {
            throw new IllegalArgumentException("nth and times count from 1, not nth=" + nth + " times=" + times);
        }
    }

    /** How a request is refused. Scenario files write the {@link #word()}. */
    public enum Rejection {
        /** A precondition is said not to hold; nothing is done. */
        CONFLICT("conflict"),
        /** No answer; nothing is done. */
        UNAVAILABLE("unavailable"),
        /** No answer; a write is done all the same. */
        UNAVAILABLE_AFTER("unavailableAfter"),
        /** The object is said to be there already; nothing is done. */
        EXISTS("exists"),
        /** Not allowed; nothing is done. */
        FORBIDDEN("forbidden");

        private final String word;

        Rejection(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        /**
         * The rejection that a scenario file means.
         *
         * @throws IllegalArgumentException if there is none; the message lists those that there are
         */
        public static Rejection ofWord(String word) {
            return Words.find("rejection", word, values(), Rejection::word);
        }
    }

    /** The next such request gets no answer and is not done. */
    public static ClusterFault on(ClusterVerb verb) {
        return new ClusterFault(verb, null, null, 1, 1, Rejection.UNAVAILABLE);
    }

    /** The next request, whatever it is. */
    public static ClusterFault onAny() {
        return new ClusterFault(null, null, null, 1, 1, Rejection.UNAVAILABLE);
    }

    public ClusterFault of(Kind newKind) {
        return new ClusterFault(verb, newKind, object, nth, times, rejection);
    }

    public ClusterFault of(ObjectKey newObject) {
        return new ClusterFault(verb, newObject.kind(), newObject, nth, times, rejection);
    }

    public ClusterFault nth(int newNth) {
        return new ClusterFault(verb, kind, object, newNth, times, rejection);
    }

    public ClusterFault times(int newTimes) {
        return new ClusterFault(verb, kind, object, nth, newTimes, rejection);
    }

    public ClusterFault always() {
        return times(ALWAYS);
    }

    public ClusterFault as(Rejection newRejection) {
        return new ClusterFault(verb, kind, object, nth, times, newRejection);
    }

    boolean matches(ClusterVerb askedVerb, Kind askedKind, @Nullable ObjectKey askedObject) {
        return (verb == null || verb == askedVerb)
                && (kind == null || kind == askedKind)
                && (object == null || object.equals(askedObject));
    }
}
