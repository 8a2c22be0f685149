package io.volume4j.core.node.desired;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapAdviceTest {
    @Test
    void aSmallHeapForManyPodsIsToldOnceAndAgainWhenThereAreTwiceAsMany() {
        HeapAdvice advice = new HeapAdvice(64L << 20);
        int told = 0;
        for (int pods = 1; pods <= 50_000; pods++) {
            boolean tells = advice.pods(pods);
            told += tells ? 1 : 0;
            assertThat(tells && pods < 10_000).as("%d pods fit", pods).isFalse();
        }
        assertThat(told).isEqualTo(2);
    }

    @Test
    void anOrdinaryNodeIsNotWarned() {
        HeapAdvice advice = new HeapAdvice(256L << 20);
        for (int pods = 1; pods <= 50_000; pods++) {
            assertThat(advice.pods(pods)).isFalse();
        }
    }
}
