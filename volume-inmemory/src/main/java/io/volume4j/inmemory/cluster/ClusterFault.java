package io.volume4j.inmemory.cluster;

import io.volume4j.inmemory.fault.Words;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Future requests that a cluster will refuse. Use {@link #on} and the methods below it. Immutable.
 *
 * @param verb null for any
 * @param kind null for any
 * @param object null for any
 * @param nth the first matching request that the cluster refuses, from 1
 * @param times how many consecutive requests it refuses
 * @since 0.1.0
 */
public record ClusterFault(
        @Nullable ClusterVerb verb,
        @Nullable Kind kind,
        @Nullable ObjectKey object,
        int nth,
        int times,
        Rejection rejection) {
    /** Value of {@link #times()}: until the test heals the cluster. */
    public static final int ALWAYS = Integer.MAX_VALUE;

    public ClusterFault {
        Objects.requireNonNull(rejection, "rejection");
        if (nth < 1 || times < 1) {
            throw new IllegalArgumentException("nth and times count from 1, not nth=" + nth + " times=" + times);
        }
    }

    /** How the cluster refuses a request. Scenario files use the {@link #word()}. */
    public enum Rejection {
        /** The cluster says that a precondition does not hold. It does nothing. */
        CONFLICT("conflict"),
        /** The cluster does not answer and does nothing. */
        UNAVAILABLE("unavailable"),
        /** The cluster does not answer, but does the write. */
        UNAVAILABLE_AFTER("unavailableAfter"),
        /** The cluster says that the object exists. It does nothing. */
        EXISTS("exists"),
        /** The cluster says that the request is not permitted. It does nothing. */
        FORBIDDEN("forbidden");

        private final String word;

        Rejection(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        /**
         * The rejection with this word in scenario files.
         * @throws IllegalArgumentException if there is none; the message lists the known words
         */
        public static Rejection ofWord(String word) {
            return Words.find("rejection", word, values(), Rejection::word);
        }
    }

    /** A fault in which the cluster does not answer the next such request and does nothing. */
    public static ClusterFault on(ClusterVerb verb) {
        return new ClusterFault(verb, null, null, 1, 1, Rejection.UNAVAILABLE);
    }

    /** The same for the next request with any verb. */
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
