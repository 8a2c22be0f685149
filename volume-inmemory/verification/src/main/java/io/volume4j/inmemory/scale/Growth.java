package io.volume4j.inmemory.scale;

import java.util.List;

/**
 * The growth of a cost with a size, from the straight line that fits the measured points best.
 *
 * @param slope the cost of one more unit of the size
 * @param rise the rise of the line from the smallest to the largest size, in parts of the mean cost
 * @param bend how far the outer points are above the line, in parts of the mean cost; negative if they are below
 * @param shape the resulting class
 */
public record Growth(double slope, double rise, double bend, Shape shape) {
    /** A line with a smaller rise, in parts of the mean, is level. */
    public static final double LEVEL = 0.2;
    /** A curve whose ends are further above the line, in parts of the mean, is not linear. */
    private static final double STRAIGHT = 0.1;

    private static final int LEAST_POINTS = 3;

    /** A measured cost at a size. */
    public record Point(double size, double cost) {}

    /** From the best to the worst. */
    public enum Shape {
        /** The cost decreases. */
        FALLING("falls"),
        /** The cost does not depend on the size. */
        LEVEL("level"),
        /** The cost grows in proportion to the size, or more slowly. */
        LINEAR("linear"),
        /** The cost grows faster than the size. */
        FASTER("faster than linear");

        private final String word;

        Shape(String word) {
            this.word = word;
        }

        /** The name for readers. */
        public String word() {
            return word;
        }

        /** Whether it is that good, or better. */
        public boolean atMost(Shape other) {
            return compareTo(other) <= 0;
        }
    }

    /**
     * The growth of the measured points.
     *
     * @param points by growing size
     * @throws IllegalArgumentException if there are less than three: a line goes through any two
     */
    public static Growth of(List<Point> points) {
        if (points.size() < LEAST_POINTS) {
            throw new IllegalArgumentException(points.size() + " points have no shape; there must be " + LEAST_POINTS
                    + ", for instance three sizes");
        }
        double meanSize = points.stream().mapToDouble(Point::size).average().orElseThrow();
        double meanCost = points.stream().mapToDouble(Point::cost).average().orElseThrow();
        double above = 0;
        double below = 0;
        for (Point point : points) {
            above += (point.size() - meanSize) * (point.cost() - meanCost);
            below += (point.size() - meanSize) * (point.size() - meanSize);
        }
        if (below == 0) {
            throw new IllegalArgumentException("all points are of one size: " + points);
        }
        if (meanCost == 0) {
            return new Growth(0, 0, 0, Shape.LEVEL);
        }
        double slope = above / below;
        Point first = points.get(0);
        Point last = points.get(points.size() - 1);
        double rise = slope * (last.size() - first.size()) / meanCost;
        double bend = (first.cost() + last.cost() - 2 * meanCost - slope * (first.size() + last.size() - 2 * meanSize))
                / (2 * meanCost);
        return new Growth(slope, rise, bend, shape(rise, bend));
    }

    private static Shape shape(double rise, double bend) {
        if (rise < -LEVEL) {
            return Shape.FALLING;
        }
        if (rise <= LEVEL) {
            return Shape.LEVEL;
        }
        return bend > STRAIGHT ? Shape.FASTER : Shape.LINEAR;
    }
}
