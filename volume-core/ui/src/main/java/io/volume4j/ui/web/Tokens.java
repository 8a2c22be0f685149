package io.volume4j.ui.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The permissions of viewers and operators. A viewer sends the viewer's token once and gets a session in a cookie that scripts
 * cannot read. An operator sends the operator's token with each action, so that a cookie alone permits no action. Thread-safe.
 */
public final class Tokens {
    private static final int BYTES = 24;
    private static final int SESSIONS = 256;

    private final RandomGenerator random;
    private final String viewer;
    private final String operator;
    private final Set<String> sessions =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<String, Boolean>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > SESSIONS;
                }
            }));

    /** @param random an unpredictable generator */
    public Tokens(RandomGenerator random) {
        this.random = random;
        this.viewer = fresh();
        this.operator = fresh();
    }

    /** The same with a viewer's token of the host. */
    public Tokens(RandomGenerator random, String viewer) {
        this.random = random;
        this.viewer = viewer;
        this.operator = fresh();
    }

    public String viewer() {
        return viewer;
    }

    public String operator() {
        return operator;
    }

    /** A new session for a viewer who has sent the token. */
    String session() {
        String session = fresh();
        sessions.add(session);
        return session;
    }

    boolean knows(String session) {
        return sessions.contains(session);
    }

    boolean isViewer(String token) {
        return same(viewer, token) || isOperator(token);
    }

    boolean isOperator(String token) {
        return same(operator, token);
    }

    private String fresh() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Compares in constant time. */
    private static boolean same(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
