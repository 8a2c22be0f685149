package io.volume4j.examples.agent.http;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * As whom a server is asked, and which server is believed to be it: files only, each of which may be exchanged while the
 * process runs. Immutable.
 */
public final class Access {
    private static final Access NOBODY = new Access(null, null, null, null);

    private final @Nullable Path token;
    private final @Nullable Path authorities;
    private final @Nullable Path certificate;
    private final @Nullable Path key;

    private Access(@Nullable Path token, @Nullable Path authorities, @Nullable Path certificate, @Nullable Path key) {
        this.token = token;
        this.authorities = authorities;
        this.certificate = certificate;
        this.key = key;
    }

    /** As nobody in particular, and to servers that Java believes. */
    public static Access anonymous() {
        return NOBODY;
    }

    /** The file holds a bearer token and nothing else. It is read anew for each request. */
    public Access token(Path file) {
        return new Access(Objects.requireNonNull(file, "file"), authorities, certificate, key);
    }

    /** Certificates (PEM) of those who vouch for servers, in place of those whom Java believes. Read anew for each request. */
    public Access authorities(Path pem) {
        return new Access(token, Objects.requireNonNull(pem, "pem"), certificate, key);
    }

    /**
     * A certificate with those between it and its authority, and its private key (PEM, without a password; PKCS#8, PKCS#1 or
     * SEC 1), which may stand in one file. Read anew for each request.
     */
    public Access certificate(Path pem, Path keyPem) {
        return new Access(
                token, authorities, Objects.requireNonNull(pem, "pem"), Objects.requireNonNull(keyPem, "keyPem"));
    }

    @Nullable
    Path token() {
        return token;
    }

    @Nullable
    Path authorities() {
        return authorities;
    }

    @Nullable
    Path certificate() {
        return certificate;
    }

    @Nullable
    Path key() {
        return key;
    }
}
