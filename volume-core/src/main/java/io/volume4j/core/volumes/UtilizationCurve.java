package io.volume4j.core.volumes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Scores a node by the utilization of its storage after it gets a pod. Between two points the score is linear.
 * Immutable.
 *
 * @param points in the order of their utilization. Below the first and above the last point the score is constant
 * @since 0.1.0
 */
public record UtilizationCurve(List<Point> points) {
    /**
     * One point.
     *
     * @param utilization in percent, 0 to 100
     * @param score 0 to 10
     */
    public record Point(int utilization, int score) {
        public Point {
            if (utilization < 0 || utilization > 100 || score < 0 || score > 10) {
                throw new IllegalArgumentException(
                        "a point is 0 to 100 percent and a score of 0 to 10, not " + utilization + " and " + score);
            }
        }
    }

    public UtilizationCurve {
        points = Collections.unmodifiableList(new ArrayList<>(points));
        if (points.isEmpty()) {
            throw new IllegalArgumentException("a curve needs a point");
        }
        for (int i = 1; i < points.size(); i++) {
            if (points.get(i).utilization() <= points.get(i - 1).utilization()) {
                throw new IllegalArgumentException("the utilization of the points of a curve must increase: " + points);
            }
        }
    }

    /** Prefers empty storage: from score 10 at 0 percent to score 0 at 100 percent. */
    public static UtilizationCurve spreading() {
        return new UtilizationCurve(List.of(new Point(0, 10), new Point(100, 0)));
    }

    /** Prefers full storage: from score 0 at 0 percent to score 10 at 100 percent. */
    public static UtilizationCurve packing() {
        return new UtilizationCurve(List.of(new Point(0, 0), new Point(100, 10)));
    }

    /**
     * The score, 0 to 100, for the requested bytes of this capacity. A capacity of 0 gets the score of full storage.
     */
    public int score(long requested, long capacity) {
        double percent = capacity <= 0 ? 100 : Math.min(100, 100.0 * requested / capacity);
        Point last = points.get(0);
        if (percent <= last.utilization()) {
            return 10 * last.score();
        }
        for (Point next : points) {
            if (percent <= next.utilization()) {
                double way = (percent - last.utilization()) / (next.utilization() - last.utilization());
                return (int) Math.round(10 * (last.score() + way * (next.score() - last.score())));
            }
            last = next;
        }
        return 10 * last.score();
    }
}
