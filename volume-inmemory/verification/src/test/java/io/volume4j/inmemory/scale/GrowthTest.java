package io.volume4j.inmemory.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.inmemory.scale.Growth.Point;
import io.volume4j.inmemory.scale.Growth.Shape;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GrowthTest {
    private static final Offset<Double> EXACT = Offset.offset(1e-9);

    private static Growth of(DoubleUnaryOperator cost, double... sizes) {
        return Growth.of(DoubleStream.of(sizes)
                .mapToObj(size -> new Point(size, cost.applyAsDouble(size)))
                .toList());
    }

    private static Stream<Arguments> shapes() {
        return Stream.of(
                row("the same everywhere", n -> 7, Shape.LEVEL),
                row("nothing at all", n -> 0, Shape.LEVEL),
                row("a little more each time", n -> 100 + n / 10, Shape.LEVEL),
                row("noise of a tenth", n -> n == 20 || n == 80 ? 110 : 100, Shape.LEVEL),
                row("noise of a tenth, the other way", n -> n == 10 || n == 40 ? 110 : 100, Shape.LEVEL),
                row("as the size", n -> 3 * n, Shape.LINEAR),
                row("something, and as the size", n -> 500 + 9 * n, Shape.LINEAR),
                row("as the size, with noise of a tenth", n -> n == 80 ? 88 : n, Shape.LINEAR),
                row("as the size and its logarithm", n -> n * Math.log(n), Shape.LINEAR),
                row("as the logarithm", n -> Math.log(n), Shape.LINEAR),
                row("as the square root", n -> Math.sqrt(n), Shape.LINEAR),
                row("as the square", n -> n * n, Shape.FASTER),
                row("something, and as the square", n -> 1_000 + n * n, Shape.FASTER),
                row("as the size, and a little as the square", n -> 20 * n + n * n / 2, Shape.FASTER),
                row("doubling with each ten", n -> Math.pow(2, n / 10), Shape.FASTER),
                row("less and less", n -> 100 / n, Shape.FALLING));
    }

    private static Arguments row(String name, DoubleUnaryOperator cost, Shape shape) {
        return Arguments.of(name, cost, shape);
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("shapes")
    void tellsShapesApart(String name, DoubleUnaryOperator cost, Shape shape) {
        assertThat(of(cost, 10, 20, 40, 80).shape())
                .as("%s of four sizes", name)
                .isEqualTo(shape);
    }

    @Test
    void theSlopeIsWhatOneMoreCosts() {
        Growth growth = of(n -> 500 + 9 * n, 10, 20, 40, 80);
        assertThat(growth.slope()).isEqualTo(9, EXACT);
        assertThat(growth.bend()).isEqualTo(0, EXACT);
    }

    @Test
    void theRiseIsWhatIsAddedFromTheLeastToTheGreatestInPartsOfTheMean() {
        assertThat(of(n -> n, 10, 20, 30).rise()).isEqualTo(1, EXACT);
    }

    @Test
    void shapesAreOrdered() {
        assertThat(Shape.LEVEL.atMost(Shape.LINEAR)).isTrue();
        assertThat(Shape.LINEAR.atMost(Shape.LINEAR)).isTrue();
        assertThat(Shape.FASTER.atMost(Shape.LINEAR)).isFalse();
        assertThat(Shape.LINEAR.atMost(Shape.LEVEL)).isFalse();
        assertThat(Shape.FALLING.atMost(Shape.LEVEL)).isTrue();
    }

    @Test
    void twoPointsHaveNoShape() {
        assertThatThrownBy(() -> of(n -> n, 10, 20)).hasMessageContaining("three sizes");
        assertThatThrownBy(() -> Growth.of(List.of(new Point(1, 1), new Point(1, 2), new Point(1, 3))))
                .hasMessageContaining("one size");
    }
}
