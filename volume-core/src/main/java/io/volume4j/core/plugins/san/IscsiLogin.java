package io.volume4j.core.plugins.san;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.san.IscsiTool.Discovery;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.host.SecretValues;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Logs in to the portals of a target. For each, it queries the target's portal group, creates a record, adds the
 * credentials and logs in. One portal that answers is enough.
 */
final class IscsiLogin {
    private final SecretResolver secrets;
    private final IscsiTool tool;
    private final IscsiRecords records;

    IscsiLogin(SecretResolver secrets, IscsiTool tool, IscsiRecords records) {
        this.secrets = secrets;
        this.tool = tool;
        this.records = records;
    }

    boolean isRecorded(IscsiPortal portal, IscsiTarget target) {
        return records.knowsNode(portal, target.unit().target(), target.iface());
    }

    /** The credentials for the sessions of one volume. */
    record Credentials(Optional<IscsiCredentials> forDiscovery, Optional<IscsiCredentials> forSession) {}

    /** Reads the credentials of a login, before any change. */
    Credentials prepare(VolumeSpec spec) {
        IscsiSource source = IscsiConnector.source(spec);
        tool.requireInstalled();
        if (!source.chapAuthDiscovery() && !source.chapAuthSession()) {
            return new Credentials(Optional.empty(), Optional.empty());
        }
        SecretValues secret = secret(spec, source);
        return new Credentials(
                source.chapAuthDiscovery() ? Optional.of(IscsiCredentials.ofDiscovery(secret)) : Optional.empty(),
                source.chapAuthSession() ? Optional.of(IscsiCredentials.ofSession(secret)) : Optional.empty());
    }

    /** @param missing portals without a session, at least one */
    void logIn(IscsiTarget target, Set<IscsiPortal> missing, Credentials credentials, CallContext context) {
        if (IscsiTarget.isOurs(target.iface())) {
            tool.makeInterface(target, context);
        }
        List<VolumeException> failures = new ArrayList<>();
        for (IscsiPortal portal : missing) {
            try {
                context.progress("logging in to " + target.unit().target() + " at " + portal);
                logIn(portal, target, credentials, context);
            } catch (VolumeException e) {
                failures.add(e);
            }
        }
        if (failures.size() == target.portals().size()) {
            throw none(target, failures);
        }
    }

    private void logIn(IscsiPortal portal, IscsiTarget target, Credentials credentials, CallContext context) {
        Discovery told = discover(portal, target, credentials.forDiscovery(), context);
        if (!told.reached() || (credentials.forDiscovery().isPresent() && !told.told())) {
            throw VolumeException.transientFailure(
                    "portal " + portal + " did not answer the discovery as expected: " + told.failure());
        }
        String name = target.unit().target();
        if (!isRecorded(portal, target)) {
            tool.makeNodeRecord(portal, told.group(), target, context);
            tool.scanOnDemand(portal, target, context);
        }
        credentials.forSession().ifPresent(chap -> records.writeToNode(portal, name, target.iface(), chap));
        tool.login(portal, target, context);
    }

    /**
     * Queries the portal group. Some targets do not answer this query and still accept logins: then the group stays
     * unknown.
     */
    private Discovery discover(
            IscsiPortal portal, IscsiTarget target, Optional<IscsiCredentials> credentials, CallContext context) {
        if (credentials.isEmpty()) {
            return tool.discover(portal, target, false, context);
        }
        tool.makeDiscoveryRecord(portal, target, context);
        try {
            records.writeToDiscovery(portal, credentials.get());
            return tool.discover(portal, target, true, context);
        } finally {
            tool.deleteDiscoveryRecord(portal, context);
        }
    }

    private static VolumeException none(IscsiTarget target, List<VolumeException> failures) {
        VolumeException first = failures.get(0);
        boolean uncertain = failures.stream().anyMatch(each -> each.kind() == FailureKind.UNCERTAIN);
        boolean hopeless = failures.stream().allMatch(each -> each.kind() == FailureKind.FINAL);
        FailureKind kind = uncertain ? FailureKind.UNCERTAIN : hopeless ? FailureKind.FINAL : FailureKind.TRANSIENT;
        String text = failures.stream()
                .map(VolumeException::reason)
                .reduce((one, next) -> one + "; " + next)
                .orElse("");
        return VolumeException.of(kind, "cannot log in to " + target.unit().target() + ": " + text)
                .withAdvice(first.advice())
                .withCause(first);
    }

    private SecretValues secret(VolumeSpec spec, IscsiSource source) {
        SecretRef reference = source.secretRef();
        if (reference == null) {
            throw VolumeException.finalFailure("volume " + MessageText.text(spec.name())
                    + " asks for CHAP and names no secret with the credentials");
        }
        String namespace = reference.namespace().isEmpty() ? namespace(spec) : reference.namespace();
        return secrets.resolve(new SecretRef(namespace, reference.name()));
    }

    /** The namespace of a secret: that of the claim, if the reference has none. */
    private static String namespace(VolumeSpec spec) {
        @Nullable
        ObjectReference claim = spec.persistentVolume() == null
                ? null
                : spec.persistentVolume().spec().claimRef();
        if (claim == null) {
            throw VolumeException.finalFailure(
                            "the secret of volume " + MessageText.text(spec.name()) + " has no namespace")
                    .withAdvice(
                            "write the namespace into secretRef, or use a PersistentVolume that is bound to a claim");
        }
        return claim.namespace();
    }
}
