package io.volume4j.inmemory.scale;

import io.volume4j.inmemory.scale.Growth.Point;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a cluster of one size cost.
 *
 * @param hours how many hours of virtual time it ran
 * @param times how often each event happened
 * @param filled what it cost until all pods had their volumes
 * @param events what all of the events of a kind cost together
 * @param rested what an hour cost in which nothing happened
 * @param heapFilled what was alive of the world when it was filled
 * @param heapAfter what was alive of the world in the end
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
     * Fills a world and has events happen in it, so many of each kind in each hour, and nothing in the hour after these.
     *
     * @throws IllegalStateException if in the end not every pod has what it wants
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

    /** What one such event cost on the average. */
    public double cost(Event event, Measure measure) {
        Load all = events.get(event);
        return all == null ? 0 : (double) all.of(measure) / times;
    }

    /** How the cost of the event grew with the number of nodes. */
    public static Growth growth(List<ScaleDay> days, Event event, Measure measure) {
        List<Point> points = new ArrayList<>();
        days.forEach(day -> points.add(new Point(day.settings.nodes(), day.cost(event, measure))));
        return Growth.of(points);
    }

    /** Whatever grew worse than is known and accepted, in words; empty if nothing did. */
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
