package io.volume4j.inmemory.scale;

import io.volume4j.inmemory.scale.Growth.Point;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The costs of a cluster of one size.
 *
 * @param hours of virtual time
 * @param times the number of each event
 * @param filled the cost until all pods had their volumes
 * @param events the total cost of all events of a kind
 * @param rested the cost of an hour without events
 * @param heapFilled live objects of the filled world
 * @param heapAfter live objects of the world at the end
 */
public record ScaleDay(
        ScaleSettings settings,
        int hours,
        int times,
        Load filled,
        Map<Event, Load> events,
        Load rested,
        LiveHeap heapFilled,
        LiveHeap heapAfter) {
    private static final Duration HOUR = Duration.ofHours(1);

    /**
     * Fills a world and lets events happen in it, this many of each kind in each hour, and then an hour without events.
     *
     * @throws IllegalStateException if a pod lacks a volume at the end
     */
    public static ScaleDay of(ScaleSettings settings, int hours, int perHour) {
        LiveHeap before = LiveHeap.now();
        try (ScaleWorld world = new ScaleWorld(settings)) {
            Load filled = world.fill();
            LiveHeap heapFilled = LiveHeap.now().since(before);
            Map<Event, Load> events = new EnumMap<>(Event.class);
            for (int hour = 0; hour < hours; hour++) {
                Duration end = world.elapsed().plus(HOUR);
                for (Event event : Event.values()) {
                    events.merge(event, world.happen(event, perHour), Load::plus);
                }
                Duration left = end.minus(world.elapsed());
                world.rest(left.isNegative() ? Duration.ZERO : left);
            }
            world.requireAsWanted();
            Load rested = world.rest(HOUR);
            LiveHeap heapAfter = LiveHeap.now().since(before);
            return new ScaleDay(settings, hours, hours * perHour, filled, events, rested, heapFilled, heapAfter);
        }
    }

    /** The average cost of one such event. */
    public double cost(Event event, Measure measure) {
        Load all = events.get(event);
        return all == null ? 0 : (double) all.of(measure) / times;
    }

    /** The growth of the event's cost with the number of nodes. */
    public static Growth growth(List<ScaleDay> days, Event event, Measure measure) {
        List<Point> points = new ArrayList<>();
        days.forEach(day -> points.add(new Point(day.settings.nodes(), day.cost(event, measure))));
        return Growth.of(points);
    }

    /** The costs that grew faster than known and accepted, as text; empty if there are none. */
    public static List<String> worse(List<ScaleDay> days) {
        List<String> worse = new ArrayList<>();
        for (Event event : Event.values()) {
            for (Measure measure : Measure.values()) {
                Growth growth = growth(days, event, measure);
                if (measure.counted() && !growth.shape().atMost(event.accepted(measure))) {
                    worse.add(event.word() + ": " + measure.word() + " "
                            + growth.shape().word() + ", accepted is "
                            + event.accepted(measure).word() + ": "
                            + days.stream().map(day -> day.cost(event, measure)).toList());
                }
            }
        }
        return worse;
    }
}
