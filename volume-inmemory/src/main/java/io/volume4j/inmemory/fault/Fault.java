package io.volume4j.inmemory.fault;

import java.time.Duration;
import java.util.Objects;

/**
 * A fault to come: of those calls that match, from the n-th on, some go wrong. Built by {@code on("attach")} and the
 * methods that follow; immutable.
 *
 * @param call name of the call, {@code ""} for any
 * @param subject the volume's name or the path, {@code ""} for any
 * @param node {@code ""} for any
 * @param nth the first call to go wrong, counted from 1 among the matching calls that no earlier fault took
 * @param times how many calls in a row go wrong
 * @param holder the node that {@link FaultKind#DANGLING} names, {@code ""} otherwise
 * @param delay of {@link FaultKind#DELAY} and {@link FaultKind#LATE_SUCCESS}
 * @param message added to the failure's text, so that a test can put something there that must not get through
 * @since 0.1.0
 */
public record Fault(
        String call,
        String subject,
        String node,
        int nth,
        int times,
        FaultKind kind,
        String holder,
        Duration delay,
        String message) {
    /** As {@link #times()}: until the test heals it. */
    public static final int ALWAYS = Integer.MAX_VALUE;

    public Fault {
        Objects.requireNonNull(kind, "kind");
        if (nth < 1 || times < 1) {
            throw new IllegalArgumentException("a fault begins with the first call at the earliest and happens at least"
                    + " once, not nth=" + nth + " times=" + times);
        }
        if (delay.isNegative()) {
            throw new IllegalArgumentException("a delay cannot be negative: " + delay);
        }
        if (kind == FaultKind.DANGLING && holder.isEmpty()) {
            throw new IllegalArgumentException("a dangling attachment names its holder: use dangling(node)");
        }
    }

    /** The next call of that name fails once, as transient. */
    public static Fault on(String call) {
        return new Fault(call, "", "", 1, 1, FaultKind.TRANSIENT, "", Duration.ZERO, "");
    }

    /** Only calls about this volume or path. */
    public Fault of(String newSubject) {
        return new Fault(call, newSubject, node, nth, times, kind, holder, delay, message);
    }

    /** Only calls that concern this node. */
    public Fault at(String newNode) {
        return new Fault(call, subject, newNode, nth, times, kind, holder, delay, message);
    }

    /** Not before the n-th matching call, counted from 1. */
    public Fault nth(int newNth) {
        return new Fault(call, subject, node, newNth, times, kind, holder, delay, message);
    }

    public Fault times(int newTimes) {
        return new Fault(call, subject, node, nth, newTimes, kind, holder, delay, message);
    }

    /** Until it is healed. */
    public Fault always() {
        return times(ALWAYS);
    }

    public Fault as(FaultKind newKind) {
        return new Fault(call, subject, node, nth, times, newKind, holder, delay, message);
    }

    /** The backend says that this node holds the volume. */
    public Fault dangling(String newHolder) {
        return new Fault(call, subject, node, nth, times, FaultKind.DANGLING, newHolder, delay, message);
    }

    /** Answers, but only after a while. */
    public Fault delayed(Duration newDelay) {
        return new Fault(call, subject, node, nth, times, FaultKind.DELAY, holder, newDelay, message);
    }

    /** Fails as uncertain and takes effect after a while. */
    public Fault lateBy(Duration newDelay) {
        return new Fault(call, subject, node, nth, times, FaultKind.LATE_SUCCESS, holder, newDelay, message);
    }

    public Fault saying(String newMessage) {
        return new Fault(call, subject, node, nth, times, kind, holder, delay, newMessage);
    }

    boolean matches(CallSite site) {
        return (call.isEmpty() || call.equals(site.call()))
                && (subject.isEmpty() || subject.equals(site.subject()))
                && (node.isEmpty() || node.equals(site.node()));
    }
}
