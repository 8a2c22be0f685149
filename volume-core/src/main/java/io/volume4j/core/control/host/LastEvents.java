package io.volume4j.core.control.host;

import io.volume4j.spi.host.EventSink.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The events that were sent about an object, with their times. The policy of events; {@code docs/events.md} has its
 * table:
 *
 * <ul>
 * <li>The controller sends an event when its state begins.
 * <li>It does not send the event again within half an hour, even if it sent others in between: two alternating states
 * are two events.
 * <li>It repeats a warning after that time as long as the state lasts. Kubernetes deletes events after an hour, and a
 * claim that has failed since yesterday must have an event today.
 * <li>It sends an event for each permanent change, such as the health of a volume.
 * <li>If the text of a reason changes often, it sends at most three events in a minute, and the latest text after
 * that.
 * </ul>
 *
 * @param now loop time, in nanoseconds
 */
public record LastEvents(List<Once> last, long now) {
    /** One event and its time. */
    public record Once(Event event, long at) {
        private boolean sameReason(Event other) {
            return event.type() == other.type()
                    && event.reason().equals(other.reason())
                    && event.object().equals(other.object());
        }
    }

    static final Duration AGAIN = Duration.ofMinutes(30);
    static final Duration CALM = Duration.ofMinutes(1);
    static final int AT_ONCE = 3;

    /** Enough for a state that alternates with others. */
    private static final int KEPT = 8;

    private static final LastEvents NOTHING = new LastEvents(List.of(), 0);

    public static LastEvents nothing() {
        return NOTHING;
    }

    /** A copy with another current time. */
    public LastEvents at(long loopTime) {
        return last.isEmpty() ? this : new LastEvents(last, loopTime);
    }

    /** The memory after these events were sent. */
    public LastEvents with(List<Event> events, long loopTime) {
        List<Once> all = new ArrayList<>(last);
        for (Event event : events) {
            all.removeIf(once -> once.event().equals(event));
            all.add(new Once(event, loopTime));
        }
        return new LastEvents(List.copyOf(all.subList(Math.max(0, all.size() - KEPT), all.size())), loopTime);
    }

    public boolean covers(List<Event> wanted) {
        return wanted.stream().allMatch(this::covers);
    }

    /**
     * The time until which these events must wait because too many with the same reason were sent lately; empty if they need not.
     */
    public OptionalLong heldBackUntil(List<Event> wanted) {
        for (Event event : wanted) {
            List<Long> recent = last.stream()
                    .filter(once -> once.sameReason(event) && now - once.at() < CALM.toNanos())
                    .map(Once::at)
                    .toList();
            if (recent.size() >= AT_ONCE) {
                return OptionalLong.of(recent.get(recent.size() - AT_ONCE) + CALM.toNanos());
            }
        }
        return OptionalLong.empty();
    }

    private boolean covers(Event event) {
        return (event.type() == Event.Type.NORMAL && isLast(event))
                || last.stream().anyMatch(once -> once.event().equals(event) && now - once.at() < AGAIN.toNanos());
    }

    /** Whether the event is the last one that was sent. */
    public boolean isLast(Event event) {
        return !last.isEmpty() && last.get(last.size() - 1).event().equals(event);
    }
}
