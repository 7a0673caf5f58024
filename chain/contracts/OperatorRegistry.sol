// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {BN254} from "./libraries/BN254.sol";
import {BlockHistory} from "./libraries/BlockHistory.sol";
import {SignatureData} from "./libraries/SignatureData.sol";
import {SignatureVerifier} from "./SignatureVerifier.sol";
import {G1Point, G2Point} from "./Types.sol";

/// Registers operators. The owner decides who participates and with what stake; a key requires a
/// proof of possession bound to this registry, this chain and this account, which also prevents
/// rogue-key attacks.
contract OperatorRegistry is SignatureVerifier, Ownable {
    using BN254 for G1Point;
    using BlockHistory for BlockHistory.History;

    error OperatorAlreadyRegistered(bytes32 operatorId);
    error OperatorNotRegistered(bytes32 operatorId);
    error KeyBelongsToAnother(bytes32 operatorId, address account);
    error AccountHasAnotherKey(address account, bytes32 operatorId);
    error InvalidOperator();
    error InvalidProofOfPossession();
    error NotOwnerNorOperator(address caller);
    error NotInQuorum(bytes32 operatorId, uint8 quorumNumber);
    error TooManyQuorums();
    error AggregateKeyMismatch(uint8 quorumNumber);

    event QuorumCreated(uint8 indexed quorumNumber);
    event OperatorRegistered(bytes32 indexed operatorId, address indexed account, bytes quorumNumbers, uint96[] stakes);
    event OperatorDeregistered(bytes32 indexed operatorId, address indexed account);
    event OperatorStakeUpdated(bytes32 indexed operatorId, uint8 indexed quorumNumber, uint96 stake);

    string private constant POSSESSION = "OperatorRegistry proof of possession";

    mapping(address account => bytes32 operatorId) private _idOf;

    constructor(address owner, uint8 quorums) Ownable(owner) {
        for (uint8 q = 0; q < quorums; q++) _createQuorum();
    }

    function createQuorum() external onlyOwner {
        _createQuorum();
    }

    /// @param account the operator's account.
    /// @param quorumNumbers one byte per quorum, strictly ascending.
    /// @param stakes one per quorum, in the same order.
    /// @param possession the signature of `possessionDigest(account)` by the key.
    function registerOperator(
        address account,
        bytes calldata quorumNumbers,
        uint96[] calldata stakes,
        G1Point calldata pubkeyG1,
        G2Point calldata pubkeyG2,
        G1Point calldata possession
    ) external onlyOwner {
        uint192 bitmap = _bitmapOf(quorumNumbers);
        if (stakes.length != quorumNumbers.length) revert SignatureData.LengthMismatch();
        bytes32 id = _admitKey(account, pubkeyG1, pubkeyG2);
        if (!_verifies(possessionDigest(account), pubkeyG1, pubkeyG2, possession)) revert InvalidProofOfPossession();

        _bitmaps[id].record(bitmap);
        for (uint256 q = 0; q < quorumNumbers.length; q++) {
            uint8 number = uint8(quorumNumbers[q]);
            uint192 totalStake = _setStake(id, number, stakes[q]);
            _setQuorum(number, totalStake, _apks[number].add(pubkeyG1));
        }
        emit OperatorRegistered(id, account, quorumNumbers, stakes);
    }

    /// Removes the operator from every quorum from this block on; earlier blocks keep it.
    function deregisterOperator(bytes32 id) external {
        Operator storage operator = _operators[id];
        if (msg.sender != owner() && msg.sender != operator.account) revert NotOwnerNorOperator(msg.sender);
        uint256 bitmap = _bitmaps[id].value;
        if (bitmap == 0) revert OperatorNotRegistered(id);
        _bitmaps[id].record(0);
        G1Point memory key = operator.pubkeyG1;
        for (uint8 number = 0; number < quorumCount; number++) {
            if (bitmap & (1 << number) == 0) continue;
            uint192 totalStake = _setStake(id, number, 0);
            _setQuorum(number, totalStake, _apks[number].add(key.negate()));
        }
        emit OperatorDeregistered(id, operator.account);
    }

    function updateStake(bytes32 id, uint8 quorumNumber, uint96 stake) external onlyOwner {
        if (_bitmaps[id].value & (1 << quorumNumber) == 0) revert NotInQuorum(id, quorumNumber);
        uint192 totalStake = _setStake(id, quorumNumber, stake);
        bytes32 proven = _provenKeyHashes[quorumNumber][_totalStakes[quorumNumber].length - 1];
        uint32 index = _setQuorum(quorumNumber, totalStake, _apks[quorumNumber]);
        // The keys are the same.
        if (proven != 0) _provenKeyHashes[quorumNumber][index] = proven;
        emit OperatorStakeUpdated(id, quorumNumber, stake);
    }

    /// Stores that the quorum's present aggregate key in G1 has the same secret as this key in G2, which makes
    /// signatures of the whole quorum cheaper to verify. Anyone may call it: the keys prove themselves.
    function proveAggregateKey(uint8 quorumNumber, G2Point calldata apkG2) external {
        if (quorumNumber >= quorumCount) revert UnknownQuorum(quorumNumber);
        G1Point memory apk = _apks[quorumNumber];
        // Every key has the secret of the identity, and no signature is by it.
        if (apk.isInfinity() || !BN254.pairingProductIsOne(apk, BN254.generatorG1(), apkG2)) {
            revert AggregateKeyMismatch(quorumNumber);
        }
        _provenKeyHashes[quorumNumber][_totalStakes[quorumNumber].length - 1] = _keysHash(apk, apkG2);
    }

    /// Whether `proveAggregateKey` was called for the quorum's present operators.
    function isAggregateKeyProven(uint8 quorumNumber) external view returns (bool) {
        return
            quorumNumber < quorumCount &&
            _provenKeyHashes[quorumNumber][_totalStakes[quorumNumber].length - 1] != 0;
    }

    function operatorIdOf(address account) external view returns (bytes32) {
        return _idOf[account];
    }

    function quorumBitmapOf(bytes32 id) external view returns (uint256) {
        return _bitmaps[id].value;
    }

    function stakeOf(bytes32 id, uint8 quorumNumber) external view returns (uint256) {
        return _stakes[id][quorumNumber].value;
    }

    function totalStakeOf(uint8 quorumNumber) external view returns (uint256) {
        return _totalStakes[quorumNumber].value;
    }

    /// The message that a key signs to register for an account.
    function possessionDigest(address account) public view returns (bytes32) {
        return keccak256(abi.encode(POSSESSION, block.chainid, address(this), account));
    }

    /// A key and an account are bound permanently, so that history identifies one operator.
    function _admitKey(address account, G1Point calldata pubkeyG1, G2Point calldata pubkeyG2)
        private
        returns (bytes32 id)
    {
        if (account == address(0) || pubkeyG1.isInfinity()) revert InvalidOperator();
        id = pubkeyG1.operatorId();
        if (_bitmaps[id].value != 0) revert OperatorAlreadyRegistered(id);
        address known = _operators[id].account;
        if (known != address(0) && known != account) revert KeyBelongsToAnother(id, known);
        if (_idOf[account] != 0 && _idOf[account] != id) revert AccountHasAnotherKey(account, _idOf[account]);
        if (known == address(0)) {
            _operatorIds.push(id);
            _operators[id] = Operator(account, pubkeyG1, pubkeyG2);
            _idOf[account] = id;
        }
    }

    function _createQuorum() private {
        // The bitmaps have 192 bits.
        if (quorumCount == 192) revert TooManyQuorums();
        uint8 number = quorumCount++;
        _setQuorum(number, 0, G1Point(0, 0));
        emit QuorumCreated(number);
    }

    /// @return totalStake of the quorum with this stake; 192 bits hold 2^96 stakes.
    function _setStake(bytes32 id, uint8 number, uint96 stake) private returns (uint192 totalStake) {
        BlockHistory.History storage stakes = _stakes[id][number];
        totalStake = _totalStakes[number].value - stakes.value + stake;
        stakes.record(stake);
    }

    /// @return index of the entry in the history, which may be that of an earlier call in this block
    function _setQuorum(uint8 number, uint192 totalStake, G1Point memory apk) private returns (uint32 index) {
        _apks[number] = apk;
        index = _totalStakes[number].record(totalStake);
        _apkHashes[number][index] = apk.operatorId();
        // What was proven earlier in this block was another key.
        if (_provenKeyHashes[number][index] != 0) delete _provenKeyHashes[number][index];
    }
}
