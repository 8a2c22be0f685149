package io.volume4j.csi.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.Status;
import io.volume4j.csi.internal.client.Pager.Page;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.csi.internal.transport.CallPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PagerTest {
    private final List<String> asked = new ArrayList<>();

    @Test
    void readsPageAfterPage() {
        Listing<String> all = read((max, token) -> switch (token) {
            case "" -> page("t1", "a", "b");
            case "t1" -> page("t2", "c");
            default -> page("", "d");
        });
        assertThat(all).isEqualTo(new Listing<>(List.of("a", "b", "c", "d"), true));
        assertThat(asked).containsExactly("500:", "500:t1", "500:t2");
    }

    @Test
    void leavesOutRepetitionsAndEntriesWithoutId() {
        Listing<String> all = read((max, token) -> token.isEmpty() ? page("t", "a", "", "b") : page("", "b", "a", "c"));
        assertThat(all).isEqualTo(new Listing<>(List.of("a", "b", "c"), true));
    }

    @Test
    void beginsAnewWhenATokenHasBecomeStale() {
        Listing<String> all = read((max, token) -> {
            if (token.equals("t") && asked.size() < 4) {
                throw answered(Status.ABORTED);
            }
            return token.isEmpty() ? page("t", "a" + asked.size()) : page("", "b");
        });
        assertThat(asked).containsExactly("500:", "500:t", "500:", "500:t");
        assertThat(all)
                .as("what the first try has found is forgotten")
                .isEqualTo(new Listing<>(List.of("a3", "b"), true));
    }

    @Test
    void givesUpWhenEveryTokenIsStale() {
        assertThatExceptionOfType(CsiException.class)
                .isThrownBy(() -> read((max, token) -> {
                    if (!token.isEmpty()) {
                        throw answered(Status.ABORTED);
                    }
                    return page("t", "a");
                }));
        assertThat(asked).hasSize(2 * (1 + Pager.MAX_RESTARTS));
    }

    @Test
    void asksForSmallerPagesWhenOneIsTooLarge() {
        Listing<String> all = read((max, token) -> {
            if (max > 100) {
                throw lost(Status.RESOURCE_EXHAUSTED);
            }
            return token.isEmpty() ? page("t", "a") : page("", "b");
        });
        assertThat(all).isEqualTo(new Listing<>(List.of("a", "b"), true));
        assertThat(asked).containsExactly("500:", "125:", "31:", "31:t");
    }

    @Test
    void givesUpWhenOneEntryAloneIsTooLarge() {
        assertThatExceptionOfType(CsiException.class)
                .isThrownBy(() -> read((max, token) -> {
                    throw lost(Status.RESOURCE_EXHAUSTED);
                }));
        assertThat(asked).containsExactly("500:", "125:", "31:", "7:", "1:");
    }

    /** The host path driver cuts the list at the size of a page and gives no token. */
    @Test
    void asksForEverythingWhenAFullPageClaimsToBeTheLast() {
        String[] many = IntStream.range(0, 700).mapToObj(i -> "v" + i).toArray(String[]::new);
        Listing<String> all = read((max, token) -> page("", max == 0 ? many : java.util.Arrays.copyOf(many, max)));
        assertThat(all.entries()).hasSize(700);
        assertThat(all.complete()).isTrue();
        assertThat(asked).containsExactly("500:", "0:");
    }

    @Test
    void saysThatAListIsNotCompleteWhenTheRestCannotBeHad() {
        String[] many = IntStream.range(0, 500).mapToObj(i -> "v" + i).toArray(String[]::new);
        Listing<String> all = read((max, token) -> {
            if (max == 0) {
                throw lost(Status.RESOURCE_EXHAUSTED);
            }
            return page("", many);
        });
        assertThat(all.entries()).hasSize(500);
        assertThat(all.complete()).isFalse();
    }

    @Test
    void stopsWhenTokensGoRoundInCircles() {
        Listing<String> all = read((max, token) -> token.equals("t1") ? page("t2", "b") : page("t1", "a"));
        assertThat(all).isEqualTo(new Listing<>(List.of("a", "b"), false));
    }

    @Test
    void stopsWhenAListHasNoEnd() {
        Listing<String> all = read((max, token) -> page("t" + asked.size(), "a"));
        assertThat(all).isEqualTo(new Listing<>(List.of("a"), false));
        assertThat(asked).hasSize(Pager.MAX_PAGES);
    }

    /** 69 pages with names of 9 KB filled a heap of 256 MiB. */
    @Test
    void keepsNoMoreThanSoManyBytes() {
        String filling = "x".repeat(9_000);
        Listing<String> all = read((max, token) -> page(
                "t" + asked.size(),
                IntStream.range(0, max)
                        .mapToObj(i -> filling + asked.size() + "-" + i)
                        .toArray(String[]::new)));
        assertThat(all.complete()).isFalse();
        assertThat(all.entries().stream().mapToLong(String::length).sum())
                .isBetween(Pager.MAX_KEPT_BYTES - 10_000, Pager.MAX_KEPT_BYTES);
        assertThat(asked).hasSizeLessThan(10);
    }

    @Test
    void countsAnEntryThatComesAgainOnce() {
        String large = "x".repeat(1 << 20);
        Listing<String> all =
                read((max, token) -> page(asked.size() < 100 ? "t" + asked.size() : "", large, "a" + asked.size()));
        assertThat(all.complete()).isTrue();
        assertThat(all.entries()).hasSize(101);
    }

    @Test
    void stopsWhenTheReaderHasWhatItWants() {
        List<String> taken = new ArrayList<>();
        boolean complete = Pager.read(recorded((max, token) -> page("t" + asked.size(), "a", "b", "c")), entry -> {
            taken.add(entry);
            return !entry.equals("b");
        });
        assertThat(complete).isFalse();
        assertThat(taken).containsExactly("a", "b");
        assertThat(asked).hasSize(1);
    }

    @Test
    void passesOtherFailuresOn() {
        assertThatExceptionOfType(CsiException.class)
                .isThrownBy(() -> read((max, token) -> {
                    throw answered(Status.INTERNAL);
                }))
                .satisfies(e -> assertThat(e.code()).isEqualTo(Status.Code.INTERNAL));
        assertThat(asked).hasSize(1);
    }

    private Listing<String> read(Pager.Source<String> source) {
        return Pager.readAll(recorded(source), entry -> entry, String::length);
    }

    private Pager.Source<String> recorded(Pager.Source<String> source) {
        return (max, token) -> {
            asked.add(max + ":" + token);
            return source.fetch(max, token);
        };
    }

    private static Page<String> page(String next, String... entries) {
        return new Page<>(List.of(entries), next);
    }

    private static CsiException answered(Status status) {
        return failed(CallPhase.ANSWERED, status);
    }

    private static CsiException lost(Status status) {
        return failed(CallPhase.SENT_WITHOUT_ANSWER, status);
    }

    private static CsiException failed(CallPhase phase, Status status) {
        return CsiException.failed(Rpc.LIST_VOLUMES, ListVolumesRequest.getDefaultInstance(), "test", phase, status);
    }
}
