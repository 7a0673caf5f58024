// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {OperatorHistory} from "./OperatorHistory.sol";
import {PolicyConfig} from "./Types.sol";

/// Reads everything that a task needs about its client in one call, hence at one block. It is never
/// deployed: its code is sent with the `eth_call`.
contract ContextReader {
    /// A read of `target` failed: there is no contract, it reverted, or it is of another kind.
    error ReadFailed(address target, string read, bytes reason);

    /// Gas limit for reading a signing domain, so that a client that burns gas has no domain on any
    /// node, whatever gas limit the node has for calls.
    uint256 private constant DOMAIN_GAS = 500_000;
    /// Maximum size of an encoded signing domain in bytes.
    uint256 private constant LONGEST_DOMAIN = 2_048;
    /// Gas limit for reading the version of a digest, for the same reason.
    uint256 private constant VERSION_GAS = 50_000;

    struct PolicyDataContext {
        address policyDataAddress;
        string wasmCid;
        string secretsSchemaCid;
        uint32 expireAfter;
        string version;
        address[] attesters;
        uint32 digestVersion;
    }

    struct ClientContext {
        uint256 blockNumber;
        uint256 chainId;
        address owner;
        address taskManager;
        address policyAddress;
        bytes32 policyId;
        PolicyConfig policyConfig;
        string entrypoint;
        string policyCid;
        string schemaCid;
        string metadataCid;
        string version;
        PolicyDataContext[] policyData;
        bytes signingDomain;
    }

    /// The result of `read`, and the operators of the given quorums at the same block, as encoded by
    /// the registry: a single request to the node for everything that a task needs.
    function readTask(address client, address registry, bytes calldata quorumNumbers)
        external
        view
        returns (ClientContext memory context, bytes memory operatorSet)
    {
        context = read(client);
        bytes memory data = abi.encodeCall(OperatorHistory.getOperatorSet, (quorumNumbers, uint32(block.number)));
        operatorSet = _call(registry, data, "getOperatorSet(bytes,uint32)");
    }

    function read(address client) public view returns (ClientContext memory context) {
        context.blockNumber = block.number;
        context.chainId = block.chainid;
        context.owner = abi.decode(_get(client, "getOwner()"), (address));
        context.taskManager = abi.decode(_get(client, "getTaskManager()"), (address));
        context.policyAddress = abi.decode(_get(client, "getPolicyAddress()"), (address));
        context.policyId = abi.decode(_get(client, "getPolicyId()"), (bytes32));
        context.policyConfig = abi.decode(_get(client, "getPolicyConfig()"), (PolicyConfig));
        address policy = context.policyAddress;
        context.entrypoint = abi.decode(_get(policy, "getEntrypoint()"), (string));
        context.policyCid = abi.decode(_get(policy, "getPolicyCid()"), (string));
        context.schemaCid = abi.decode(_get(policy, "getSchemaCid()"), (string));
        context.metadataCid = abi.decode(_get(policy, "getMetadataCid()"), (string));
        context.version = abi.decode(_get(policy, "version()"), (string));
        address[] memory sources = abi.decode(_get(policy, "getPolicyData()"), (address[]));
        context.policyData = new PolicyDataContext[](sources.length);
        for (uint256 i = 0; i < sources.length; i++) context.policyData[i] = readPolicyData(sources[i]);
        context.signingDomain = readSigningDomain(client);
    }

    /// The encoded result of `eip712Domain()` (EIP-5267) of the client. Empty if the client has no
    /// such function, reverts, needs too much gas or returns too much data.
    function readSigningDomain(address client) public view returns (bytes memory encoded) {
        return _tryCall(client, "eip712Domain()", DOMAIN_GAS, LONGEST_DOMAIN);
    }

    function readPolicyData(address source) public view returns (PolicyDataContext memory context) {
        context.policyDataAddress = source;
        context.wasmCid = abi.decode(_get(source, "getWasmCid()"), (string));
        context.secretsSchemaCid = abi.decode(_get(source, "getSecretsSchemaCid()"), (string));
        context.expireAfter = abi.decode(_get(source, "getExpireAfter()"), (uint32));
        context.version = abi.decode(_get(source, "version()"), (string));
        context.attesters = abi.decode(_get(source, "getAttesters()"), (address[]));
        context.digestVersion = _digestVersion(source);
    }

    /// 1 for a source that does not say: the contracts before there was another one.
    function _digestVersion(address source) private view returns (uint32) {
        bytes memory answer = _tryCall(source, "digestVersion()", VERSION_GAS, 32);
        uint256 version = answer.length == 32 ? uint256(bytes32(answer)) : 1;
        return version == 0 || version > type(uint32).max ? 1 : uint32(version);
    }

    /// The result of a function that a contract need not have. Empty if it reverts, needs more gas or
    /// returns more bytes.
    function _tryCall(address target, string memory signature, uint256 gasLimit, uint256 longest)
        private
        view
        returns (bytes memory answer)
    {
        // A call receives at most 63/64 of the remaining gas: with less remaining, a node with a
        // low gas limit would see no answer where another node sees it.
        if (gasleft() < gasLimit + gasLimit / 32) revert ReadFailed(target, signature, "too little gas");
        bytes memory data = abi.encodeWithSignature(signature);
        uint256 size;
        bool ok;
        assembly ("memory-safe") {
            ok := staticcall(gasLimit, target, add(data, 32), mload(data), 0, 0)
            size := returndatasize()
        }
        if (!ok || size > longest) return "";
        answer = new bytes(size);
        assembly ("memory-safe") {
            returndatacopy(add(answer, 32), 0, size)
        }
    }

    function _get(address target, string memory signature) private view returns (bytes memory) {
        return _call(target, abi.encodeWithSignature(signature), signature);
    }

    function _call(address target, bytes memory data, string memory signature) private view returns (bytes memory) {
        (bool ok, bytes memory out) = target.staticcall(data);
        if (!ok || out.length < 32) revert ReadFailed(target, signature, ok ? bytes("") : out);
        return out;
    }
}
