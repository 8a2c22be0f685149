package io.volume4j.inmemory.fault;

import java.time.Duration;
import java.util.Objects;

/**
 * A fault for future calls: from the n-th matching call on, a number of calls fail. Use {@code on("attach")} and the
 * methods below it. Immutable.
 *
 * @param call name of the call, {@code ""} for any
 * @param subject the volume's name or the path, {@code ""} for any
 * @param node {@code ""} for any
 * @param plugin name of the driver that gets the call, {@code ""} for any
 * @param nth the first call that fails, counted from 1 among the matching calls that no earlier fault took
 * @param times how many consecutive calls fail
 * @param holder the node that {@link FaultKind#DANGLING} names, {@code ""} otherwise
 * @param delay the delay of {@link FaultKind#DELAY} and {@link FaultKind#LATE_SUCCESS}
 * @param message a text that is added to the failure's message, for example one that the library must not pass on
 * @since 0.1.0
 */
public record Fault(
        String call,
        String subject,
        String node,
        String plugin,
        int nth,
        int times,
        FaultKind kind,
        String holder,
        Duration delay,
        String message) {
    /** Value of {@link #times()}: until the test heals it. */
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

    /** A fault in which the next call of that name fails once, as transient. */
    public static Fault on(String call) {
        return new Fault(call, "", "", "", 1, 1, FaultKind.TRANSIENT, "", Duration.ZERO, "");
    }

    /** The same fault for calls about this volume or path only. */
    public Fault of(String newSubject) {
        return new Fault(call, newSubject, node, plugin, nth, times, kind, holder, delay, message);
    }

    /** The same fault for calls that concern this node only. */
    public Fault at(String newNode) {
        return new Fault(call, subject, newNode, plugin, nth, times, kind, holder, delay, message);
    }

    /** The same fault for calls to this driver only. */
    public Fault by(String newPlugin) {
        return new Fault(call, subject, node, newPlugin, nth, times, kind, holder, delay, message);
    }

    /** The same fault from the n-th matching call on, counted from 1. */
    public Fault nth(int newNth) {
        return new Fault(call, subject, node, plugin, newNth, times, kind, holder, delay, message);
    }

    public Fault times(int newTimes) {
        return new Fault(call, subject, node, plugin, nth, newTimes, kind, holder, delay, message);
    }

    /** The same fault until the test heals it. */
    public Fault always() {
        return times(ALWAYS);
    }

    public Fault as(FaultKind newKind) {
        return new Fault(call, subject, node, plugin, nth, times, newKind, holder, delay, message);
    }

    /** The call fails because the volume is attached to this node. */
    public Fault dangling(String newHolder) {
        return new Fault(call, subject, node, plugin, nth, times, FaultKind.DANGLING, newHolder, delay, message);
    }

    /** The call succeeds after this delay. */
    public Fault delayed(Duration newDelay) {
        return new Fault(call, subject, node, plugin, nth, times, FaultKind.DELAY, holder, newDelay, message);
    }

    /** The call fails as uncertain, and takes effect after this delay. */
    public Fault lateBy(Duration newDelay) {
        return new Fault(call, subject, node, plugin, nth, times, FaultKind.LATE_SUCCESS, holder, newDelay, message);
    }

    public Fault saying(String newMessage) {
        return new Fault(call, subject, node, plugin, nth, times, kind, holder, delay, newMessage);
    }

    /** Whether calls to this driver can fail because of it. */
    boolean concerns(String driver) {
        return plugin.isEmpty() || plugin.equals(driver);
    }

    boolean matches(CallSite site) {
        return (call.isEmpty() || call.equals(site.call()))
                && (subject.isEmpty() || subject.equals(site.subject()))
                && (node.isEmpty() || node.equals(site.node()))
                && concerns(site.plugin());
    }
}
