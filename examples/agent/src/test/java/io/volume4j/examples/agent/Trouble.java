package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.examples.agent.http.BreakingProxy;
import io.volume4j.examples.agent.store.Gate;
import io.volume4j.examples.agent.store.Gate.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What a server, or the way to it, does to its clients from the first request on, as long as they run. */
enum Trouble {
    /** Each fifth request is refused, and is not repeated without a pause. */
    TOO_MANY_REQUESTS {
        @Override
        Gate gate(BreakingProxy way, Met met) {
            AtomicInteger asked = new AtomicInteger();
            return call -> {
                if (!call.verb().equals("watch") && asked.incrementAndGet() % 5 == 0) {
                    met.at(call);
                    return Verdict.TOO_MANY;
                }
                return Verdict.PASS;
            };
        }

        @Override
        void assertMet(Met met, List<String> each) {
            assertThat(met.times()).isBetween(1, 200);
        }
    },

    /**
     * All connections break in the middle of the second and the sixth write, because a node makes few, and then of one in six to nine:
     * no rhythm of a client's meets it each time.
     */
    CONNECTIONS_THAT_BREAK {
        @Override
        Gate gate(BreakingProxy way, Met met) {
            AtomicInteger left = new AtomicInteger(2);
            Random gaps = new Random(20261127);
            return call -> {
                if (isWrite(call) && left.decrementAndGet() == 0) {
                    met.at(call);
                    left.set(met.times() == 1 ? 4 : 6 + gaps.nextInt(4));
                    way.breakAll();
                }
                return Verdict.PASS;
            };
        }

        @Override
        void assertMet(Met met, List<String> each) {
            assertThat(met.times()).isGreaterThan(1);
        }
    },

    /** The server stands still in the middle of the first of each kind of write. */
    A_SERVER_THAT_FREEZES {
        @Override
        Gate gate(BreakingProxy way, Met met) {
            return call -> {
                if (isWrite(call) && met.at(call) == 1) {
                    // No event ends it: other requests go on meanwhile, as they do beside one lock that is held.
                    assertThat(new CountDownLatch(1).await(700, TimeUnit.MILLISECONDS))
                            .isFalse();
                }
                return Verdict.PASS;
            };
        }
    },

    /** The first of each kind of request is not allowed. */
    PERMISSIONS_THAT_COME_LATER {
        @Override
        Gate gate(BreakingProxy way, Met met) {
            return call -> met.at(call) == 1 ? Verdict.FORBIDDEN : Verdict.PASS;
        }
    };

    /** How often which kinds of requests met it. */
    static final class Met {
        private final Map<String, AtomicInteger> times = new ConcurrentHashMap<>();

        /** This one did; returns which of its kind it is. */
        private int at(Gate.Call call) {
            return times.computeIfAbsent(call.verb() + " " + call.resource(), kind -> new AtomicInteger())
                    .incrementAndGet();
        }

        private int times() {
            return times.values().stream().mapToInt(AtomicInteger::get).sum();
        }
    }

    /** @param way to the server, of these clients alone */
    abstract Gate gate(BreakingProxy way, Met met);

    /** @param each kinds of requests that these clients do not do without */
    void assertMet(Met met, List<String> each) {
        assertThat(met.times.keySet()).containsAll(each);
    }

    private static boolean isWrite(Gate.Call call) {
        return !List.of("watch", "list", "get").contains(call.verb());
    }
}
